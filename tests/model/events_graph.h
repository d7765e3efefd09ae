/* One execution of two or three threads as a graph of events, and the orders that it guarantees:
 * the transitive closure. No registers, no facts: an edge is a sentence of ISA 9.7.16.6.
 * events_lost.h finds which of them a rewrite loses.
 *
 *   N  the place of an instruction in its thread, where an asynchronous operation starts
 *   E  an asynchronous operation executes
 *   C  it is complete
 *   G  a synchronous tcgen05 instruction, seen from tensor memory
 *   F  the fence that a commit performs; of a fence::before, what it passes on without causality
 *   X  an execution-ordering operation takes place, with what it hands over to its observers
 *   Q  it has what others hand over to it
 *
 * No edge from N to E: "as tcgen05.ld is an asynchronous operation, fence::after is needed". */
#ifndef PTXOPT_TESTS_MODEL_EVENTS_GRAPH_H
#define PTXOPT_TESTS_MODEL_EVENTS_GRAPH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "check/prove/monitor.h"

enum { OPS_MAX = 128, THREADS_MAX = 3, SOURCES_MAX = 64, MATCHES_MAX = 128, EDGES_MAX = 16384 };
enum { PLACE_N, PLACE_E, PLACE_C, PLACE_G, PLACE_F, PLACE_X, PLACE_Q, PLACES };
enum { NODES_MAX = THREADS_MAX * OPS_MAX * PLACES };

/* Readings are bits of a number: the two of the model; whether what only the ordinary order hands
 * over counts for tensor memory when it is received; and what a commit is: synchronous by the table
 * of 9.7.16.6.1, "an asynchronous instruction" by 9.7.16.12.1. */
enum {
    READING_WAIT_ORDINARY = 1,
    READING_LITERAL = 2,
    READING_CROSSING = 4,
    READING_COMMIT_ASYNC = 8,
    READINGS = 16
};

/* Other graphs, which explain differences. */
enum variation {
    VARY_NO_CHAIN = 1,    /* a pipelined pair orders only its two operations */
    VARY_COMMIT_OWN = 2,  /* a commit does not pass on the thread's own ld and st */
    VARY_START = 4,       /* an order before the start of an operation counts */
    VARY_BEFORE_ONLY = 8, /* a literal reading of fence::before, not of fence::after */
    VARY_AFTER_ONLY = 16,
    VARY_ALLOCATION = 32, /* an order before a deallocation, without completion, counts */
    VARY_NARROW = 64,     /* fence::before does not order acquires, fence::after does not order
                             releases, commits and allocations; the two relay nothing */
    VARY_ELSEWHERE = 128  /* accesses of other cells have an observable order */
};

struct op {
    uint8_t kind;
    bool deleted;
    /* It receives or publishes without causality. */
    bool takes_relaxed, gives_relaxed;
    uint8_t class, version; /* for PIPE: its kind, and how often its register was written */
    uint8_t object;         /* the mbarrier or flag that it arrives at or waits for */
    uint8_t spared;         /* for LD and ST: the cells that it does not touch */
};

struct thread {
    struct op ops[OPS_MAX];
    int count;
};

struct match {
    uint8_t from_thread, from, to_thread, to;
};

struct execution {
    struct thread threads[THREADS_MAX];
    int thread_count;
    struct match matches[MATCHES_MAX];
    int match_count;
};

enum edge_when {
    WHEN_ALWAYS,
    WHEN_WAIT_ORDINARY,
    WHEN_LITERAL,
    WHEN_CROSSING,
    WHEN_COMMIT_ASYNC,
    WHEN_COMPLETE, /* passes completion only */
    WHEN_TRACKED,
    WHEN_PHYSICAL, /* not a guarantee, but no execution contradicts it */
    WHENS
};

struct edge {
    uint16_t from, to;
    uint8_t when;
    bool gone; /* not in the rewrite */
};

/* A view is a reading of the original (even) or of the rewrite (odd). */
enum { VIEWS = READINGS * 2 };

/* The sources before a node: bits for "source k takes place" and "source k is complete". */
struct ancestors {
    uint64_t place[VIEWS], complete[VIEWS];
};

struct events {
    const struct execution *execution;
    unsigned vary;
    struct edge edges[EDGES_MAX];
    int edge_count;
    struct ancestors nodes[NODES_MAX];
    int16_t source[THREADS_MAX][OPS_MAX];
    uint64_t loads;    /* sources that are tcgen05.ld */
    uint64_t accesses; /* ld and st of thread 0 */
    int source_count;
    struct ancestors through[WHENS * 2];
};

static inline bool op_is_async(uint8_t kind)
{
    return kind <= EVENT_PIPE;
}

static inline bool op_is_wait(uint8_t kind)
{
    return kind == EVENT_WAIT_LD || kind == EVENT_WAIT_ST;
}

/* A barrier, or the end of the thread: what the fence of a commit orders (commit-fences). */
static inline bool op_is_barrier(uint8_t kind)
{
    return kind == EVENT_RELEASE_BARRIER || kind == EVENT_ACQUIRE_BARRIER ||
           kind == EVENT_BOTH_BARRIER || kind == EVENT_EXIT;
}

static inline bool op_is_both(uint8_t kind)
{
    return kind == EVENT_BOTH_BARRIER || kind == EVENT_BOTH_MEMORY;
}

/* "Execution ordering instructions, like morally strong ld/st/atom, mbarrier, barrier and so on":
 * those that may hand over, including the arrival of a commit and the end of the thread. */
static inline bool op_gives(uint8_t kind)
{
    return kind == EVENT_RELEASE_BARRIER || kind == EVENT_RELEASE_MEMORY || op_is_both(kind) ||
           kind == EVENT_COMMIT || kind == EVENT_EXIT;
}

static inline bool op_takes(uint8_t kind)
{
    return kind == EVENT_ACQUIRE_BARRIER || kind == EVENT_ACQUIRE_MEMORY || op_is_both(kind);
}

/* mma, cp, shift over tensor memory A and B, each address in a register of its own. An mma of A
 * reads its operand there and has its accumulator elsewhere: the pairs of 9.4 with a shift are
 * about that. */
enum { CLASS_MMA_A, CLASS_MMA_B, CLASS_CP_A, CLASS_SHIFT_A, CLASS_CP4_A, CLASSES };

static inline bool classes_pair(uint32_t x, uint32_t y)
{
    switch (x) {
    case CLASS_MMA_A: return y == CLASS_MMA_A || y == CLASS_SHIFT_A;
    case CLASS_MMA_B: return y == CLASS_MMA_B;
    case CLASS_CP_A:
    case CLASS_CP4_A: return y == CLASS_MMA_A;
    case CLASS_SHIFT_A: return y == CLASS_MMA_A || y == CLASS_CP4_A;
    default: return false;
    }
}

/* "Some specific pairs … are guaranteed to execute in the same order": over one operand. */
static inline bool ops_pair(const struct op *x, const struct op *y)
{
    return x->kind == EVENT_PIPE && y->kind == EVENT_PIPE && classes_pair(x->class, y->class) &&
           x->version == y->version;
}

static inline uint16_t node(int thread, int op, int place)
{
    return (uint16_t)((thread * OPS_MAX + op) * PLACES + place);
}

static inline void add_edge(struct events *g, uint16_t from, uint16_t to, int when, bool gone)
{
    if (g->edge_count == EDGES_MAX) abort();
    g->edges[g->edge_count++] = (struct edge){from, to, (uint8_t)when, gone};
}

/* ---- instruction i of thread t and the later one j ---- */

struct between {
    int t, i, j;
    const struct op *a, *b;
    bool gone;
};

static inline void add(struct events *g, const struct between *p, int from, int to, int when)
{
    add_edge(g, node(p->t, p->i, from), node(p->t, p->j, to), when, p->gone);
}

static inline void add_from_async(struct events *g, const struct between *p)
{
    uint8_t x = p->a->kind, y = p->b->kind;
    /* "block until all prior tcgen05.ld operations issued by the thread have completed" */
    if ((x == EVENT_LD && y == EVENT_WAIT_LD) || (x == EVENT_ST && y == EVENT_WAIT_ST))
        add(g, p, PLACE_C, PLACE_G, WHEN_ALWAYS);
    /* "prior to a fence::before is ordered before …" */
    if (y == EVENT_BEFORE) add(g, p, PLACE_E, PLACE_G, WHEN_ALWAYS);
    /* "subsequent to a fence::after is ordered after all the prior tcgen05 operations" */
    if (y == EVENT_AFTER && !(g->vary & VARY_BEFORE_ONLY))
        add(g, p, PLACE_E, PLACE_G, WHEN_LITERAL);
    /* "mma → commit" is implicitly pipelined; "upon completion an arrive-on is signaled";
     * "fence::before is implicitly performed" for what it tracks. */
    if (x == EVENT_PIPE && y == EVENT_COMMIT) {
        add(g, p, PLACE_E, PLACE_G, WHEN_ALWAYS);
        add(g, p, PLACE_C, PLACE_X, WHEN_TRACKED);
        add(g, p, PLACE_E, PLACE_F, WHEN_TRACKED);
    }
    if (ops_pair(p->a, p->b) && !(g->vary & VARY_NO_CHAIN))
        add(g, p, PLACE_E, PLACE_E, WHEN_ALWAYS);
}

/* The thread blocks; "used to wait for the completion", before a hand-over or another use. */
static inline void add_from_wait(struct events *g, const struct between *p)
{
    uint8_t y = p->b->kind;
    if (op_is_async(y)) add(g, p, PLACE_G, PLACE_E, WHEN_ALWAYS);
    if (y == EVENT_BEFORE || y == EVENT_COMMIT || y == EVENT_ALLOC || y == EVENT_EXIT)
        add(g, p, PLACE_G, PLACE_G, WHEN_ALWAYS);
}

/* "… before all subsequent tcgen05 and the execution ordering operations", except a dealloc, which
 * needs completion: "must explicitly wait for the instructions' completion". */
static inline void add_from_before(struct events *g, const struct between *p)
{
    uint8_t y = p->b->kind;
    if (op_gives(y))
        add(g, p, PLACE_G, PLACE_X, WHEN_ALWAYS);
    else if (op_takes(y) && !(g->vary & VARY_NARROW))
        add(g, p, PLACE_G, PLACE_Q, WHEN_ALWAYS);
    if (y == EVENT_COMMIT || (y == EVENT_ALLOC && g->vary & VARY_ALLOCATION))
        add(g, p, PLACE_G, PLACE_G, WHEN_ALWAYS);
    if (op_is_async(y) && !(g->vary & VARY_AFTER_ONLY)) add(g, p, PLACE_G, PLACE_E, WHEN_LITERAL);
}

/* "Composes … to establish an ordering between the tcgen05 operations across threads": to
 * asynchronous operations, a commit and a dealloc; and through a fence::before, as in the ISA's
 * composed pattern. */
static inline void add_from_after(struct events *g, const struct between *p)
{
    uint8_t y = p->b->kind;
    if (op_is_async(y)) add(g, p, PLACE_G, PLACE_E, WHEN_ALWAYS);
    if (y == EVENT_BEFORE && !(g->vary & VARY_NARROW)) add(g, p, PLACE_G, PLACE_G, WHEN_ALWAYS);
    if (y == EVENT_COMMIT) add(g, p, PLACE_G, PLACE_G, WHEN_COMMIT_ASYNC);
    if (y == EVENT_ALLOC)
        add(g, p, PLACE_G, PLACE_G, g->vary & VARY_ALLOCATION ? WHEN_ALWAYS : WHEN_COMPLETE);
}

/* "ordered after all the prior tcgen05 and the execution ordering operations" */
static inline void add_to_after(struct events *g, const struct between *p)
{
    uint8_t x = p->a->kind;
    if (op_takes(x))
        add(g, p, PLACE_Q, PLACE_G, WHEN_ALWAYS);
    else if (g->vary & VARY_NARROW)
        return;
    else if (x == EVENT_COMMIT)
        add(g, p, PLACE_G, PLACE_G, WHEN_ALWAYS);
    else if (op_gives(x) || x == EVENT_ALLOC)
        add(g, p, PLACE_X, PLACE_G, WHEN_ALWAYS);
}

/* A fence::before passes on what a relaxed instruction received or will publish, whether it was
 * taken over or not: under half of the readings, since the ISA does not say so. */
static inline void add_passed_on(struct events *g, const struct between *p)
{
    if (op_takes(p->a->kind) && p->b->kind == EVENT_BEFORE)
        add(g, p, PLACE_Q, p->a->takes_relaxed ? PLACE_G : PLACE_F, WHEN_CROSSING);
    if (p->a->kind == EVENT_BEFORE && op_gives(p->b->kind) && p->b->gives_relaxed)
        add(g, p, PLACE_F, PLACE_X, WHEN_ALWAYS);
}

static inline void add_between(struct events *g, int t, int i, int j)
{
    const struct op *a = &g->execution->threads[t].ops[i], *b = &g->execution->threads[t].ops[j];
    const struct between p = {t, i, j, a, b, a->deleted || b->deleted};
    if (op_is_async(a->kind))
        add_from_async(g, &p);
    else if (op_is_wait(a->kind))
        add_from_wait(g, &p);
    else if (a->kind == EVENT_BEFORE)
        add_from_before(g, &p);
    else if (a->kind == EVENT_AFTER)
        add_from_after(g, &p);
    else if (b->kind == EVENT_AFTER)
        add_to_after(g, &p);
    if (!(g->vary & VARY_NARROW)) add_passed_on(g, &p);
    /* For later operations the fence of the commit counts only for instructions that ptxas keeps
     * after it. */
    if (a->kind == EVENT_COMMIT && op_is_barrier(b->kind))
        add(g, &p, PLACE_F, op_gives(b->kind) ? PLACE_X : PLACE_Q, WHEN_ALWAYS);
}

/* ---- the whole graph ---- */

/* Hand-overs that instruction j of thread t observes. A release is not itself part of the ordinary
 * order that it hands over, so the two sides of a barrier do not form a cycle. */
static inline void add_matches(struct events *g, int t, int j)
{
    for (int k = 0; k < g->execution->match_count; k++) {
        const struct match *m = &g->execution->matches[k];
        if (m->to_thread != t || m->to != j) continue;
        uint16_t from = node(m->from_thread, m->from, PLACE_X);
        bool relaxed = g->execution->threads[t].ops[j].takes_relaxed ||
                       g->execution->threads[m->from_thread].ops[m->from].gives_relaxed;
        add_edge(g, from, node(t, j, PLACE_Q), WHEN_ALWAYS, false);
        if (relaxed) continue;
        add_edge(g, from, node(t, j, PLACE_N), WHEN_ALWAYS, false);
        if (!m->from) continue;
        uint16_t before = node(m->from_thread, m->from - 1, PLACE_N);
        add_edge(g, before, node(t, j, PLACE_N), WHEN_ALWAYS, false);
        add_edge(g, before, node(t, j, PLACE_Q), WHEN_CROSSING, false);
    }
}

static inline void add_op(struct events *g, int t, int j)
{
    const struct op *op = &g->execution->threads[t].ops[j];
    uint16_t n = node(t, j, PLACE_N), e = node(t, j, PLACE_E), x = node(t, j, PLACE_X);
    if (j) add_edge(g, node(t, j - 1, PLACE_N), n, WHEN_ALWAYS, false);
    add_matches(g, t, j);
    for (int i = 0; i < j; i++) add_between(g, t, i, j);
    if (op_is_async(op->kind)) {
        add_edge(g, n, e, WHEN_PHYSICAL, false);
        add_edge(g, e, node(t, j, PLACE_C), WHEN_ALWAYS, false);
    }
    if (op_is_wait(op->kind)) add_edge(g, node(t, j, PLACE_G), n, WHEN_WAIT_ORDINARY, op->deleted);
    if (op->kind == EVENT_COMMIT) add_edge(g, node(t, j, PLACE_G), x, WHEN_COMMIT_ASYNC, false);
    if (op_is_both(op->kind)) add_edge(g, x, node(t, j, PLACE_Q), WHEN_ALWAYS, false);
    if (j && op_gives(op->kind)) add_edge(g, node(t, j - 1, PLACE_N), x, WHEN_PHYSICAL, false);
}

/* The place of an operation, for what is ordered after it; PLACES if nothing is. */
static inline int place_of(uint8_t kind)
{
    if (op_is_async(kind)) return PLACE_E;
    if (kind == EVENT_COMMIT) return PLACE_G;
    if (kind == EVENT_ALLOC) return PLACE_X;
    if (kind == EVENT_EXIT) return PLACES;
    return op_gives(kind) ? PLACE_X : op_takes(kind) ? PLACE_Q : PLACES;
}

static inline void add_source(struct events *g, int t, int i)
{
    const struct op *op = &g->execution->threads[t].ops[i];
    int place = place_of(op->kind);
    for (int p = 0; p < PLACES; p++) memset(&g->nodes[node(t, i, p)], 0, sizeof g->nodes[0]);
    g->source[t][i] = -1;
    if (place == PLACES || g->source_count == SOURCES_MAX) return;
    int k = g->source_count++;
    g->source[t][i] = (int16_t)k;
    if (op->kind == EVENT_LD) g->loads |= 1ull << k;
    if (!t && op->kind <= EVENT_ST) g->accesses |= 1ull << k;
    for (int view = 0; view < VIEWS; view++) {
        g->nodes[node(t, i, place)].place[view] = 1ull << k;
        if (op_is_async(op->kind)) g->nodes[node(t, i, PLACE_C)].complete[view] = 1ull << k;
    }
}

/* Whether there is an edge of that kind under that view. */
static inline bool passes(int when, bool gone, int view)
{
    int reading = view / 2;
    if (gone && view & 1) return false;
    switch (when) {
    case WHEN_WAIT_ORDINARY: return reading & READING_WAIT_ORDINARY;
    case WHEN_LITERAL: return reading & READING_LITERAL;
    case WHEN_CROSSING: return reading & READING_CROSSING;
    case WHEN_COMMIT_ASYNC: return reading & READING_COMMIT_ASYNC;
    case WHEN_PHYSICAL: return false;
    default: return true;
    }
}

static inline void add_passes(struct events *g)
{
    for (int when = 0; when < WHENS; when++)
        for (int view = 0; view < VIEWS; view++)
            for (int gone = 0; gone < 2; gone++) {
                uint64_t all = passes(when, gone, view) ? ~0ull : 0;
                bool not_own = when == WHEN_TRACKED && g->vary & VARY_COMMIT_OWN;
                all = not_own ? all & ~g->accesses : all;
                g->through[when * 2 + gone].place[view] = when == WHEN_COMPLETE ? 0 : all;
                g->through[when * 2 + gone].complete[view] = all;
            }
}

/* The graph of both programs under every reading. In order[], threads that others wait for should
 * come first; any order is correct. */
static inline void events_build(struct events *g, const struct execution *execution, unsigned vary,
                                const int *order)
{
    g->execution = execution;
    g->vary = vary;
    g->edge_count = g->source_count = 0;
    g->loads = g->accesses = 0;
    for (int k = 0; k < execution->thread_count; k++)
        for (int i = 0; i < execution->threads[order[k]].count; i++) add_source(g, order[k], i);
    add_passes(g);
    for (int k = 0; k < execution->thread_count; k++)
        for (int j = 0; j < execution->threads[order[k]].count; j++) add_op(g, order[k], j);
}

/* Nothing is before itself: false for a matching that no run has. */
static inline bool events_can_happen(const struct events *g)
{
    uint16_t rank[NODES_MAX] = {0};
    bool changed = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < g->edge_count; i++) {
            const struct edge *e = &g->edges[i];
            if (rank[e->to] > rank[e->from]) continue;
            rank[e->to] = (uint16_t)(rank[e->from] + 1);
            if (rank[e->to] > 1000) return false;
            changed = true;
        }
    }
    return true;
}

static inline void events_close(struct events *g)
{
    uint64_t more = 1;
    while (more) {
        more = 0;
        for (int i = 0; i < g->edge_count; i++) {
            const struct edge *e = &g->edges[i];
            const struct ancestors *through = &g->through[e->when * 2 + e->gone];
            const struct ancestors *from = &g->nodes[e->from];
            struct ancestors *to = &g->nodes[e->to];
            for (int view = 0; view < VIEWS; view++) {
                uint64_t place = from->place[view] & through->place[view] & ~to->place[view];
                uint64_t complete =
                    from->complete[view] & through->complete[view] & ~to->complete[view];
                to->place[view] |= place;
                to->complete[view] |= complete;
                more |= place | complete;
            }
        }
    }
}

#endif
