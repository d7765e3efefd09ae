/* One execution of two or three threads as a graph of events, and the orders that it guarantees:
 * the transitive closure. No registers, no facts: an edge is a sentence of ISA 9.7.16.6.
 *
 *   N  the place of an instruction in its thread, where an asynchronous operation starts
 *   E  an asynchronous operation executes
 *   C  it is complete
 *   G  a synchronous tcgen05 instruction, seen from tensor memory
 *   X  what an instruction hands to whoever observes it
 *   Q  what an instruction is handed
 *
 * No edge from N to E: "as tcgen05.ld is an asynchronous operation, fence::after is needed". */
#ifndef PTXOPT_TESTS_MODEL_EVENTS_GRAPH_H
#define PTXOPT_TESTS_MODEL_EVENTS_GRAPH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check/monitor.h"

enum { OPS_MAX = 128, THREADS_MAX = 3, SOURCES_MAX = 32, MATCHES_MAX = 128, EDGES_MAX = 16384 };
enum { PLACE_N, PLACE_E, PLACE_C, PLACE_G, PLACE_X, PLACE_Q, PLACES };
enum { NODES_MAX = THREADS_MAX * OPS_MAX * PLACES };

/* Readings are bits of a number: the four of the model, and whether what only the ordinary order
 * hands over counts for tensor memory where it is taken in. */
enum { READING_WAIT_ORDINARY = 1, READING_LITERAL = 2, READING_CROSSING = 4, READINGS = 8 };

/* Other graphs, to explain differences by. */
enum variation {
    VARY_NO_CHAIN = 1, /* a pipelined pair orders its two and does not pass on */
    VARY_EXIT = 2,     /* the end of a kernel is behind a fence::after */
    VARY_START = 4,    /* to be before the start of an operation is something of its own */
    VARY_BEFORE_ONLY = 8, /* a literal reading of fence::before, not of fence::after */
    VARY_AFTER_ONLY = 16,
    VARY_OWN = 32      /* fence::before, any execution-ordering operation of the same thread,
                          fence::after: composed though no other thread is in it */
};

struct op {
    uint8_t letter;
    bool deleted;
    uint8_t class, version; /* of PIPE: what it is, and how often its register was written */
    uint8_t barrier;        /* of RELEASE, COMMIT, ACQUIRE: which mbarrier */
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
    WHEN_COMPLETE, /* passes completion only */
    WHEN_PHYSICAL, /* no guarantee, but no execution runs against it */
    WHENS
};

struct edge {
    uint16_t from, to;
    uint8_t when;
    bool gone; /* not in the rewrite */
};

/* A view is a reading of the original (even) or of the rewrite (odd). */
enum { VIEWS = READINGS * 2 };

struct ancestors {
    uint64_t of[VIEWS]; /* source k: executes bit 2k, is complete bit 2k + 1 */
};

struct events {
    const struct execution *execution;
    unsigned vary;
    struct edge edges[EDGES_MAX];
    int edge_count;
    struct ancestors nodes[NODES_MAX];
    int16_t source[THREADS_MAX][OPS_MAX];
    uint64_t loads; /* sources that are tcgen05.ld */
    int source_count;
    uint64_t through[WHENS * 2][VIEWS];
};

static inline bool op_is_async(uint8_t letter)
{
    return letter <= LETTER_PIPE;
}

static inline bool op_is_wait(uint8_t letter)
{
    return letter == LETTER_WAIT_LD || letter == LETTER_WAIT_ST;
}

/* Execution-ordering operations and what is treated as such. */
static inline bool op_gives(uint8_t letter)
{
    return letter == LETTER_RELEASE || letter == LETTER_BOTH || letter == LETTER_OBSERVER ||
           letter == LETTER_COMMIT || letter == LETTER_EXIT;
}

static inline bool op_takes(uint8_t letter)
{
    return letter == LETTER_ACQUIRE || letter == LETTER_BOTH || letter == LETTER_OBSERVER;
}

/* mma, cp, shift over tensor memory A or B; each address is in a register of its own. */
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
    return x->letter == LETTER_PIPE && y->letter == LETTER_PIPE &&
           classes_pair(x->class, y->class) && x->version == y->version;
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

/* Instruction i of thread t and the later one j. */
static inline void add_between(struct events *g, int t, int i, int j)
{
    const struct op *a = &g->execution->threads[t].ops[i], *b = &g->execution->threads[t].ops[j];
    uint8_t x = a->letter, y = b->letter;
    bool gone = a->deleted || b->deleted;
    uint16_t gi = node(t, i, PLACE_G), gj = node(t, j, PLACE_G), ej = node(t, j, PLACE_E),
             xj = node(t, j, PLACE_X), ei = node(t, i, PLACE_E), ci = node(t, i, PLACE_C);
    bool gathers = y == LETTER_BEFORE || y == LETTER_COMMIT || y == LETTER_OBSERVER;
    if (op_is_async(x)) {
        /* "block until all prior tcgen05.ld operations issued by the thread have completed" */
        if ((x == LETTER_LD && y == LETTER_WAIT_LD) || (x == LETTER_ST && y == LETTER_WAIT_ST))
            add_edge(g, ci, gj, WHEN_ALWAYS, gone);
        /* "Prior to a fence::before is ordered before"; "synchronous … inherently ordered" */
        if (y == LETTER_BEFORE || y == LETTER_OBSERVER) add_edge(g, ei, gj, WHEN_ALWAYS, gone);
        /* "subsequent to a fence::after is ordered after all the prior tcgen05 operations" */
        if (y == LETTER_AFTER && !(g->vary & VARY_BEFORE_ONLY))
            add_edge(g, ei, gj, WHEN_LITERAL, gone);
        /* Commit tracks completion, and "implicitly performs" a before fence for what it tracks. */
        if (x == LETTER_PIPE && y == LETTER_COMMIT) {
            add_edge(g, ci, xj, WHEN_ALWAYS, gone);
            add_edge(g, ei, gj, WHEN_ALWAYS, gone);
        }
        if (ops_pair(a, b) && !(g->vary & VARY_NO_CHAIN)) add_edge(g, ei, ej, WHEN_ALWAYS, gone);
    } else if (op_is_wait(x)) {
        /* Canonical pattern: st, wait::st, ld; and hand-offs of what is complete. */
        if (op_is_async(y)) add_edge(g, gi, ej, WHEN_ALWAYS, gone);
        if (gathers || y == LETTER_EXIT) add_edge(g, gi, gj, WHEN_ALWAYS, gone);
    } else if (x == LETTER_BEFORE) {
        /* "before all subsequent tcgen05 and the execution ordering operations" */
        if (op_gives(y)) add_edge(g, gi, xj, WHEN_ALWAYS, gone);
        if (op_is_async(y) && !(g->vary & VARY_AFTER_ONLY))
            add_edge(g, gi, ej, WHEN_LITERAL, gone);
        if (g->vary & VARY_OWN && y == LETTER_AFTER)
            for (int k = i + 1; k < j; k++)
                if (op_gives(g->execution->threads[t].ops[k].letter) ||
                    op_takes(g->execution->threads[t].ops[k].letter)) {
                    add_edge(g, gi, gj, WHEN_ALWAYS, gone);
                    break;
                }
    } else if (x == LETTER_AFTER) {
        if (op_is_async(y)) add_edge(g, gi, ej, WHEN_ALWAYS, gone);
        if (gathers) add_edge(g, gi, gj, WHEN_ALWAYS, gone);
        if (y == LETTER_EXIT && g->vary & VARY_EXIT) add_edge(g, gi, gj, WHEN_COMPLETE, gone);
    } else if (x == LETTER_COMMIT && op_gives(y)) {
        add_edge(g, gi, xj, WHEN_ALWAYS, gone);
    }
    /* "ordered after all the prior … execution ordering operations" */
    if (op_takes(x) && y == LETTER_AFTER)
        add_edge(g, node(t, i, PLACE_Q), gj, WHEN_ALWAYS, gone);
}

/* Hand-overs that instruction j of thread t observes. A release does not itself take part in
 * the ordinary order that it hands over, so that a barrier's two sides make no circle. */
static inline void add_matches(struct events *g, int t, int j)
{
    for (int k = 0; k < g->execution->match_count; k++) {
        const struct match *m = &g->execution->matches[k];
        if (m->to_thread != t || m->to != j) continue;
        add_edge(g, node(m->from_thread, m->from, PLACE_X), node(t, j, PLACE_Q), WHEN_ALWAYS,
                 false);
        add_edge(g, node(m->from_thread, m->from, PLACE_X), node(t, j, PLACE_N), WHEN_ALWAYS,
                 false);
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
    if (op_is_async(op->letter)) {
        add_edge(g, n, e, WHEN_PHYSICAL, false);
        add_edge(g, e, node(t, j, PLACE_C), WHEN_ALWAYS, false);
    }
    if (op_is_wait(op->letter))
        add_edge(g, node(t, j, PLACE_G), n, WHEN_WAIT_ORDINARY, op->deleted);
    if (op->letter == LETTER_COMMIT) add_edge(g, node(t, j, PLACE_G), x, WHEN_ALWAYS, false);
    if (j && op_gives(op->letter)) add_edge(g, node(t, j - 1, PLACE_N), x, WHEN_PHYSICAL, false);
}

static inline void add_sources(struct events *g, int t)
{
    const struct thread *thread = &g->execution->threads[t];
    for (int i = 0; i < thread->count; i++) {
        for (int place = 0; place < PLACES; place++)
            memset(&g->nodes[node(t, i, place)], 0, sizeof g->nodes[0]);
        g->source[t][i] = -1;
        if (!op_is_async(thread->ops[i].letter) || g->source_count == SOURCES_MAX) continue;
        int k = g->source_count++;
        g->source[t][i] = (int16_t)k;
        if (thread->ops[i].letter == LETTER_LD) g->loads |= 3ull << 2 * k;
        for (int view = 0; view < VIEWS; view++) {
            g->nodes[node(t, i, PLACE_E)].of[view] = 1ull << 2 * k;
            g->nodes[node(t, i, PLACE_C)].of[view] = 2ull << 2 * k;
        }
    }
}

static inline uint64_t passes(int when, bool gone, int view)
{
    int reading = view / 2;
    if (gone && view & 1) return 0;
    switch (when) {
    case WHEN_ALWAYS: return ~0ull;
    case WHEN_WAIT_ORDINARY: return reading & READING_WAIT_ORDINARY ? ~0ull : 0;
    case WHEN_LITERAL: return reading & READING_LITERAL ? ~0ull : 0;
    case WHEN_CROSSING: return reading & READING_CROSSING ? ~0ull : 0;
    case WHEN_COMPLETE: return 0xaaaaaaaaaaaaaaaaull;
    default: return 0;
    }
}

/* The graph of both programs under every reading. Threads first in order[] should be those that
 * others wait for; any order is right. */
static inline void events_build(struct events *g, const struct execution *execution,
                                unsigned vary, const int *order)
{
    g->execution = execution;
    g->vary = vary;
    g->edge_count = g->source_count = 0;
    g->loads = 0;
    for (int when = 0; when < WHENS; when++)
        for (int view = 0; view < VIEWS; view++)
            for (int gone = 0; gone < 2; gone++)
                g->through[when * 2 + gone][view] = passes(when, gone, view);
    for (int k = 0; k < execution->thread_count; k++) add_sources(g, order[k]);
    for (int k = 0; k < execution->thread_count; k++)
        for (int j = 0; j < execution->threads[order[k]].count; j++) add_op(g, order[k], j);
}

/* Nothing can come before itself: false for a matching that no run has. */
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
            const uint64_t *through = g->through[e->when * 2 + e->gone];
            struct ancestors *to = &g->nodes[e->to];
            const struct ancestors *from = &g->nodes[e->from];
            for (int view = 0; view < VIEWS; view++) {
                uint64_t add = from->of[view] & through[view] & ~to->of[view];
                to->of[view] |= add;
                more |= add;
            }
        }
    }
}

static inline uint64_t lost_at(const struct events *g, uint16_t at)
{
    uint64_t lost = 0;
    for (int view = 0; view < VIEWS; view += 2)
        lost |= g->nodes[at].of[view] & ~g->nodes[at].of[view + 1];
    return lost;
}

/* What is before the execution in the rewrite need not be before the start as well: nobody sees an
 * operation start. The other way round it must, as no sentence leads from start to execution. */
static inline uint64_t lost_at_start(const struct events *g, uint16_t start, uint16_t execution)
{
    uint64_t lost = 0;
    for (int view = 0; view < VIEWS; view += 2) {
        uint64_t kept = g->nodes[start].of[view + 1];
        if (!(g->vary & VARY_START)) kept |= g->nodes[execution].of[view + 1];
        lost |= g->nodes[start].of[view] & ~kept;
    }
    return lost;
}

/* True when under some reading an order that the original guarantees is not one of the rewrite:
 * of an operation's execution or completion before another's start or execution, before dealloc,
 * before the end of a thread. Two loads have no order that anyone could see. */
static inline bool events_lose(const struct events *g)
{
    for (int t = 0; t < g->execution->thread_count; t++) {
        const struct thread *thread = &g->execution->threads[t];
        for (int j = 0; j < thread->count; j++) {
            const struct op *op = &thread->ops[j];
            bool async = op_is_async(op->letter);
            if (!async && op->letter != LETTER_OBSERVER && op->letter != LETTER_EXIT) continue;
            uint16_t at = node(t, j, async ? PLACE_E : PLACE_G);
            uint64_t lost = lost_at(g, at);
            if (g->vary & VARY_NO_CHAIN)
                for (int i = 0; i < j; i++)
                    if (ops_pair(&thread->ops[i], op) && g->source[t][i] >= 0)
                        lost &= ~(1ull << 2 * g->source[t][i]);
            lost |= lost_at_start(g, node(t, j, PLACE_N), async ? at : node(t, j, PLACE_N));
            if (op->letter == LETTER_LD) lost &= ~g->loads;
            if (lost) return true;
        }
    }
    return false;
}

#endif
