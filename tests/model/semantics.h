/* Implements the ordering semantics a second time, as plain sets of facts along one path, to test
 * the monitor. Facts are the occurrences on the path; they are not followed one at a time, and
 * there are no tables. Default assumptions, no pairs of ISA 9.4. */
#ifndef PTXOPT_TESTS_MODEL_SEMANTICS_H
#define PTXOPT_TESTS_MODEL_SEMANTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "cells.h"
#include "check/check.h"
#include "print.h"

enum { PATH_EVENTS_MAX = 64, CLASSES_MAX = 5 };

/* A set of facts. Bit i of the first word: what occurrence i did or received is complete; of the
 * second: what it received is only ordered, or it took place. The third word is for what a call or
 * a caller left behind, by enum kind and register. */
struct facts {
    uint64_t own_or_complete, ordered, unknown;
};

/* Named as in the model. The last five hold what was received once more, for observers that
 * causality does not reach: for these every fence::before passes it on. In these the first word is
 * what was received without causality, the second what was received with it. */
struct registers {
    struct facts issued[3], w, tc, to, nc, no, pc, po, cc, cv, rc, ro, h;
    struct facts received, taken, passed, tracked, committed;
};

/* One of the four readings. */
struct reading {
    bool wait_reaches_h, literal;
};

/* The same path through the original and the rewrite, and the data that the exceptions need. */
struct state {
    struct registers o, r;
    uint64_t of[3];                 /* occurrences that are a ld, a st, a pipe */
    uint64_t alive[CLASSES_MAX];    /* pipes of a class whose registers have not changed since */
    uint8_t cells[PATH_EVENTS_MAX]; /* by occurrence, of a ld and st: what it touches */
    int at;                         /* the next occurrence */
    bool before_ran;                /* the previous event was executed */
};

static inline void facts_add(struct facts *into, struct facts more)
{
    into->own_or_complete |= more.own_or_complete;
    into->ordered |= more.ordered;
    into->unknown |= more.unknown;
}

static inline struct facts facts_or(struct facts a, struct facts b)
{
    facts_add(&a, b);
    return a;
}

static inline struct facts facts_without(struct facts a, struct facts b)
{
    return (struct facts){a.own_or_complete & ~b.own_or_complete, a.ordered & ~b.ordered,
                          a.unknown & ~b.unknown};
}

static inline bool facts_any(struct facts facts)
{
    return facts.own_or_complete || facts.ordered || facts.unknown;
}

/* Facts that o has and r lacks; a fact that is complete in r replaces an order. */
static inline struct facts facts_less(struct facts o_complete, struct facts o_ordered,
                                      struct facts r_complete, struct facts r_ordered)
{
    return facts_or(facts_without(o_complete, r_complete),
                    facts_without(o_ordered, facts_or(r_ordered, r_complete)));
}

static inline struct facts facts_all_issued(const struct registers *r)
{
    return facts_or(facts_or(r->issued[0], r->issued[1]), r->issued[2]);
}

/* ---- what may have happened before ---- */

enum kind { KIND_LD, KIND_ST, KIND_PIPE, KIND_COMPLETE, KIND_ORDERED, KINDS };

/* A separate fact for that kind and for each place that it may be in. */
static inline struct facts unknown_fact(int kind, int place)
{
    return (struct facts){0, 0, 1ull << (kind * 12 + place)};
}

/* In the five registers of received facts: the first bit of what came with causality. */
enum { CAUSAL = 5 };

static inline struct facts unknown_of(int kind)
{
    return (struct facts){0, 0, 0xfffull << kind * 12};
}

/* A call, or the entry of a .func: an unknown fact in every register that may hold one of its kind,
 * and in no other, since a fact in more registers is harder to lose. */
static inline void semantics_anything(struct registers *r)
{
    for (int kind = KIND_LD; kind <= KIND_PIPE; kind++)
        facts_add(&r->issued[kind], unknown_fact(kind, 0));
    for (int kind = KIND_LD; kind < KINDS; kind++) {
        bool own = kind <= KIND_PIPE, completes = kind != KIND_PIPE && kind != KIND_ORDERED;
        if (own && completes) facts_add(&r->w, unknown_fact(kind, 1));
        if (!own) facts_add(completes ? &r->nc : &r->no, unknown_fact(kind, 2));
        if (completes) {
            facts_add(&r->tc, unknown_fact(kind, 3));
            facts_add(&r->rc, unknown_fact(kind, 4));
            if (!own) facts_add(&r->pc, unknown_fact(kind, 5));
            if (!own) facts_add(&r->cc, unknown_fact(kind, 6));
        }
        if (kind != KIND_COMPLETE) {
            facts_add(&r->to, unknown_fact(kind, 7));
            facts_add(&r->ro, unknown_fact(kind, 8));
            if (!own) facts_add(&r->po, unknown_fact(kind, 9));
            if (kind >= KIND_PIPE) facts_add(&r->cv, unknown_fact(kind, 10));
        }
        if (kind != KIND_PIPE) facts_add(&r->h, unknown_fact(kind, 11));
    }
    struct facts *places[] = {&r->received, &r->taken, &r->passed, &r->tracked, &r->committed};
    for (int place = 0; place < 5; place++) {
        struct facts both = {0, 0, 1ull << place | 1ull << (place + CAUSAL)};
        facts_add(&r->received, both);
        facts_add(places[place], both);
    }
}

/* Of the received facts, those without causality. */
static inline struct facts relaxed(struct facts facts)
{
    return (struct facts){facts.own_or_complete, 0, facts.unknown & ((1ull << CAUSAL) - 1)};
}

/* ---- what an instruction does ---- */

/* What a commit tracks may replace what was before it, but never the thread's own ld and st. (If a
 * fence has merely ordered one of these before the mma, that fence itself counts.) */
static inline struct facts semantics_trackable(const struct state *s, struct facts facts)
{
    struct facts own = {s->of[KIND_LD] | s->of[KIND_ST], 0, 0};
    return facts_without(facts, facts_or(own, facts_or(unknown_of(KIND_LD), unknown_of(KIND_ST))));
}

static inline void step_async(const struct monitor_event *event, const struct state *s,
                              struct registers *r)
{
    facts_add(&r->issued[event->kind], (struct facts){1ull << s->at, 0, 0});
    if (event->kind != EVENT_PIPE || event->guarded) return;
    facts_add(&r->pc, semantics_trackable(s, r->tc));
    facts_add(&r->po, semantics_trackable(s, r->to));
    facts_add(&r->tracked, r->taken);
}

static inline void step_wait(const struct reading *reading, uint8_t kind, struct registers *r)
{
    struct facts done = r->issued[kind == EVENT_WAIT_ST];
    facts_add(&r->w, done);
    facts_add(&r->tc, done);
    if (reading->wait_reaches_h) facts_add(&r->h, done);
}

static inline void step_fence(const struct reading *reading, uint8_t kind, struct registers *r)
{
    struct facts issued = facts_all_issued(r);
    if (kind == EVENT_BEFORE) {
        facts_add(&r->rc, facts_or(r->w, r->tc));
        facts_add(&r->ro, facts_or(issued, r->to));
        facts_add(&r->passed, r->received);
    } else {
        facts_add(&r->tc, r->nc);
        facts_add(&r->to, r->no);
        facts_add(&r->taken, r->received);
    }
    if (!reading->literal) return;
    facts_add(&r->to, issued);
    if (kind == EVENT_BEFORE) facts_add(&r->taken, relaxed(r->received));
}

static inline void semantics_step(const struct reading *reading, const struct monitor_event *event,
                                  const struct state *s, struct registers *r)
{
    struct facts complete = {1ull << s->at, 0, 0}, ordered = {0, 1ull << s->at, 0};
    switch (event->kind) {
    case EVENT_LD:
    case EVENT_ST:
    case EVENT_PIPE: step_async(event, s, r); break;
    case EVENT_WAIT_LD:
    case EVENT_WAIT_ST: step_wait(reading, event->kind, r); break;
    case EVENT_BEFORE:
    case EVENT_AFTER: step_fence(reading, event->kind, r); break;
    case EVENT_COMMIT:
        facts_add(&r->cc, r->pc);
        facts_add(&r->cv, facts_or(facts_or(r->issued[2], r->po), r->pc));
        facts_add(&r->committed, r->tracked);
        facts_add(&r->no, ordered);
        break;
    case EVENT_RELEASE_BARRIER:
    case EVENT_RELEASE_MEMORY:
    case EVENT_ALLOC: facts_add(&r->no, ordered); break;
    case EVENT_ACQUIRE_BARRIER:
    case EVENT_ACQUIRE_MEMORY:
    case EVENT_BOTH_BARRIER:
    case EVENT_BOTH_MEMORY: /* that it releases is in NO by the same bit */
        facts_add(&r->nc, complete);
        facts_add(&r->no, ordered);
        facts_add(&r->h, facts_or(complete, ordered));
        break;
    case EVENT_RELAXED_RECEIPT: facts_add(&r->received, complete); break;
    case EVENT_RECEIPT: facts_add(&r->received, ordered); break;
    case EVENT_CALL: semantics_anything(r); break;
    default: break;
    }
}

/* ---- what an instruction observes ---- */

/* Earlier loads and stores that touch none of the cells of this one. */
static inline uint64_t elsewhere(const struct monitor_event *event, const struct state *s)
{
    uint64_t accesses = s->of[KIND_LD] | s->of[KIND_ST], found = 0;
    for (int i = 0; i < s->at; i++)
        if (accesses >> i & 1 && !(s->cells[i] & cells_of(event->detail))) found |= 1ull << i;
    return found;
}

/* What a fence ordered, and nothing orders in the rewrite: an observer of what came after would
 * have learned of it. */
static inline uint64_t unordered(const struct state *s)
{
    return facts_without(s->o.to, facts_or(s->r.to, s->r.tc)).own_or_complete;
}

/* Facts that the event need not observe: reads that commute, completion in other cells, pairs whose
 * registers did not change. */
static inline struct facts semantics_excused(const struct monitor_graph *graph,
                                             const struct monitor_event *event,
                                             const struct state *s)
{
    struct facts excused = {0, 0, 0};
    if (event->kind == EVENT_LD) {
        excused = unknown_of(KIND_LD);
        excused.own_or_complete = s->of[KIND_LD];
    }
    if (event->kind != EVENT_PIPE) excused.own_or_complete |= elsewhere(event, s) & ~unordered(s);
    for (uint32_t c = 0; event->kind == EVENT_PIPE && c < graph->pipes.count; c++)
        if (graph->pipes.pairs(graph->pipes.at[c].data, graph->pipes.at[event->detail].data))
            excused.own_or_complete |= s->alive[c];
    return excused;
}

static inline struct facts less_h(const struct registers *o, const struct registers *r)
{
    return facts_without(o->h, r->h);
}

static inline struct facts less_taken(const struct registers *o, const struct registers *r)
{
    return facts_less(o->tc, o->to, r->tc, r->to);
}

static inline struct facts less_released(const struct registers *o, const struct registers *r,
                                         bool barrier)
{
    if (!barrier) return facts_less(o->rc, o->ro, r->rc, r->ro);
    return facts_less(facts_or(o->rc, o->cc), facts_or(o->ro, o->cv), facts_or(r->rc, r->cc),
                      facts_or(r->ro, r->cv));
}

/* The received facts that are passed on; a commit also passes them to a barrier. */
static inline struct facts less_passed(const struct registers *o, const struct registers *r,
                                       bool barrier)
{
    if (!barrier) return facts_without(o->passed, r->passed);
    return facts_without(facts_or(o->passed, o->committed), facts_or(r->passed, r->committed));
}

/* What a commit would add to its arrival beside what is published: an operation that it tracks is
 * there already. */
static inline struct facts tracked(const struct registers *r)
{
    return facts_or(r->po, r->issued[2]);
}

static inline struct facts less_at_commit(const struct state *s)
{
    const struct registers *o = &s->o, *r = &s->r;
    struct facts own = {s->of[KIND_PIPE], 0, unknown_of(KIND_PIPE).unknown};
    struct facts arrival = facts_less(facts_or(o->rc, o->pc), facts_or(o->ro, tracked(o)),
                                      facts_or(r->rc, r->pc), facts_or(r->ro, tracked(r)));
    struct facts passed =
        facts_without(facts_or(o->passed, o->tracked), facts_or(r->passed, r->tracked));
    facts_add(&arrival, relaxed(passed));
    facts_add(&arrival, facts_without(o->taken, r->taken));
    return facts_or(facts_or(arrival, less_h(o, r)), facts_without(less_taken(o, r), own));
}

static inline struct facts less_anywhere(const struct registers *o, const struct registers *r)
{
    struct facts less = facts_or(facts_without(o->w, r->w), less_h(o, r));
    facts_add(&less, less_taken(o, r));
    facts_add(&less, facts_less(o->nc, o->no, r->nc, r->no));
    facts_add(&less, facts_less(o->pc, tracked(o), r->pc, tracked(r)));
    facts_add(&less, facts_less(o->cc, o->cv, r->cc, r->cv));
    facts_add(&less, facts_without(o->passed, r->passed));
    facts_add(&less, facts_without(o->taken, r->taken));
    facts_add(&less, facts_without(o->tracked, r->tracked));
    facts_add(&less, facts_without(o->committed, r->committed));
    return facts_or(less, less_released(o, r, false));
}

static inline bool ordering_sees_less(const struct registers *o, const struct registers *r,
                                      bool barrier)
{
    struct facts less = facts_or(less_released(o, r, barrier), less_h(o, r));
    return facts_any(facts_or(less, relaxed(less_passed(o, r, barrier))));
}

/* Whether the next occurrence observes less in the rewrite. */
static inline bool semantics_sees_less(const struct monitor_graph *graph,
                                       const struct monitor_event *event, const struct state *s)
{
    const struct registers *o = &s->o, *r = &s->r;
    switch (event->kind) {
    case EVENT_LD:
    case EVENT_ST:
    case EVENT_PIPE: {
        struct facts less = facts_or(less_taken(o, r), less_h(o, r));
        if (facts_any(facts_without(o->taken, r->taken))) return true;
        return facts_any(facts_without(less, semantics_excused(graph, event, s)));
    }
    case EVENT_RELEASE_BARRIER:
    case EVENT_ACQUIRE_BARRIER:
    case EVENT_BOTH_BARRIER: return ordering_sees_less(o, r, true);
    case EVENT_RELEASE_MEMORY:
    case EVENT_ACQUIRE_MEMORY:
    case EVENT_BOTH_MEMORY: return ordering_sees_less(o, r, false);
    case EVENT_RELAXED_RELEASE_BARRIER: return facts_any(less_passed(o, r, true));
    case EVENT_RELAXED_RELEASE_MEMORY: return facts_any(less_passed(o, r, false));
    case EVENT_EXIT: return ordering_sees_less(o, r, true) || facts_any(facts_without(o->w, r->w));
    case EVENT_ALLOC: {
        struct facts complete = facts_or(o->tc, o->w);
        return facts_any(facts_or(facts_without(complete, facts_or(r->tc, r->w)), less_h(o, r)));
    }
    case EVENT_COMMIT: return facts_any(less_at_commit(s));
    case EVENT_CALL:
    case EVENT_RETURN: return facts_any(less_anywhere(o, r));
    default: return false;
    }
}

/* The event is the next occurrence of the path: true if it sees less in the rewrite. */
static inline bool semantics_less(const struct reading *reading, const struct monitor_graph *graph,
                                  const struct monitor_event *event, struct state *s)
{
    if (semantics_sees_less(graph, event, s)) return true;
    semantics_step(reading, event, s, &s->o);
    if (!event->deleted) semantics_step(reading, event, s, &s->r);
    if (event->kind <= EVENT_PIPE) s->of[event->kind] |= 1ull << s->at;
    if (event->kind < EVENT_PIPE) s->cells[s->at] = (uint8_t)cells_of(event->detail);
    if (event->kind == EVENT_PIPE) s->alive[event->detail] |= 1ull << s->at;
    for (uint32_t c = 0; event->kind == EVENT_WRITE && c < graph->pipes.count; c++)
        for (uint32_t i = 0; i < graph->pipes.at[c].register_count; i++)
            if (graph->pipes.at[c].registers[i] == event->detail) s->alive[c] = 0;
    s->at++;
    return false;
}

/* ---- all paths ---- */

/* Paths through a graph from its entry, each block at most visits_max times. */
struct paths {
    const struct monitor_graph *graph;
    struct reading reading;
    int visits_max;
    int visits[16];
    uint64_t tried, tried_max;
};

static inline bool paths_block(struct paths *p, uint32_t block, const struct state *given);

/* From an event of the block: true if on some path some observer sees less. */
static inline bool paths_event(struct paths *p, uint32_t block, uint32_t event,
                               const struct state *given)
{
    struct state s = *given;
    const struct flow_block *at = &p->graph->blocks[block];
    for (; event < at->end; event++) {
        const struct monitor_event *e = &p->graph->events[event];
        if (s.at == PATH_EVENTS_MAX || p->tried >= p->tried_max) return false;
        /* A joined commit runs exactly when the fence before it did. */
        bool may_run = !e->joined || s.before_ran, may_skip = e->joined ? !may_run : e->guarded;
        s.before_ran = false;
        if (may_skip && may_run && paths_event(p, block, event + 1, &s)) return true;
        if (!may_run) continue;
        s.before_ran = true;
        if (semantics_less(&p->reading, p->graph, e, &s)) return true;
    }
    p->tried++;
    for (uint32_t i = at->succ_start; i < at->succ_end; i++)
        if (paths_block(p, p->graph->succs[i], &s)) return true;
    return false;
}

static inline bool paths_block(struct paths *p, uint32_t block, const struct state *given)
{
    if (p->visits[block] == p->visits_max) return false;
    p->visits[block]++;
    bool less = paths_event(p, block, p->graph->blocks[block].start, given);
    p->visits[block]--;
    return less;
}

/* The brute-force verdict: true if no path within the bounds loses anything under any reading. */
static inline bool paths_legal(const struct monitor_graph *graph, int visits_max,
                               uint64_t tried_max, bool *complete)
{
    *complete = true;
    for (int reading = 0; reading < 4; reading++) {
        struct paths p = {.graph = graph,
                          .reading = {reading & 1, reading & 2},
                          .visits_max = visits_max,
                          .tried_max = tried_max};
        struct state s = {.at = 0};
        if (!graph->is_entry) {
            semantics_anything(&s.o);
            semantics_anything(&s.r);
        }
        if (paths_block(&p, 0, &s)) return false;
        *complete &= p.tried < p.tried_max;
    }
    return true;
}

/* Classes for tests: 0 and 1 form pairs with themselves, 2 with none; each has its own register. */
static inline bool test_pairs(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;
    return *a == *b && *a < 2;
}

#endif
