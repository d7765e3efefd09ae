/* The ordering semantics once more, as plain sets of facts along one path, to judge the monitor
 * by. Facts are the occurrences on the path; nothing is followed singly, nothing is tabulated.
 * Default assumptions, no pairs of ISA 9.4. */
#ifndef PTXOPT_TESTS_MODEL_SEMANTICS_H
#define PTXOPT_TESTS_MODEL_SEMANTICS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "check/check.h"
#include "check/monitor.h"

enum { PATH_EVENTS_MAX = 40, CLASSES_MAX = 4 };

/* One fact a bit: occurrence i is bit i, what it received complete bit i, merely ordered bit
 * i + 64 is kept in a second word. */
struct facts {
    uint64_t own_or_complete, ordered;
};

struct registers {
    struct facts issued[3], w, tc, to, nc, no, rc, ro, h;
};

struct semantics {
    bool wait_reaches_h, literal;
    bool (*pairs)(const void *, const void *);
    const struct monitor_class *classes;
};

static inline void facts_add(struct facts *into, struct facts more)
{
    into->own_or_complete |= more.own_or_complete;
    into->ordered |= more.ordered;
}

static inline struct facts facts_or(struct facts a, struct facts b)
{
    facts_add(&a, b);
    return a;
}

static inline struct facts facts_all_issued(const struct registers *r)
{
    return facts_or(facts_or(r->issued[0], r->issued[1]), r->issued[2]);
}

static inline void semantics_step(const struct semantics *s, uint8_t letter, int i,
                                  struct registers *r)
{
    struct facts self = {1ull << i, 0}, order = {0, 1ull << i};
    struct facts issued = facts_all_issued(r);
    switch (letter) {
    case LETTER_LD: facts_add(&r->issued[0], self); break;
    case LETTER_ST: facts_add(&r->issued[1], self); break;
    case LETTER_PIPE: facts_add(&r->issued[2], self); break;
    case LETTER_WAIT_LD:
    case LETTER_WAIT_ST: {
        struct facts done = r->issued[letter == LETTER_WAIT_ST];
        facts_add(&r->w, done);
        facts_add(&r->tc, done);
        if (s->wait_reaches_h) facts_add(&r->h, done);
        break;
    }
    case LETTER_BEFORE:
        facts_add(&r->rc, facts_or(r->w, r->tc));
        facts_add(&r->ro, facts_or(issued, r->to));
        if (s->literal) facts_add(&r->to, issued);
        break;
    case LETTER_AFTER:
        facts_add(&r->tc, r->nc);
        facts_add(&r->to, r->no);
        if (s->literal) facts_add(&r->to, issued);
        break;
    case LETTER_COMMIT:
        facts_add(&r->rc, facts_or(r->w, r->tc));
        facts_add(&r->ro, facts_or(r->issued[2], r->to));
        break;
    case LETTER_ACQUIRE:
    case LETTER_BOTH:
    case LETTER_OBSERVER:
        facts_add(&r->nc, self);
        facts_add(&r->no, order);
        facts_add(&r->h, facts_or(self, order));
        break;
    default: break;
    }
}

/* Facts in o that r lacks; what r holds complete stands in for an order. */
static inline struct facts facts_less(struct facts o_complete, struct facts o_ordered,
                                      struct facts r_complete, struct facts r_ordered)
{
    struct facts less = {
        (o_complete.own_or_complete & ~r_complete.own_or_complete) |
            (o_ordered.own_or_complete & ~r_ordered.own_or_complete & ~r_complete.own_or_complete),
        (o_complete.ordered & ~r_complete.ordered) |
            (o_ordered.ordered & ~r_ordered.ordered & ~r_complete.ordered)};
    return less;
}

/* What the occurrence i need not see: reads that commute, pairs whose registers did not change. */
static inline uint64_t semantics_excused(const struct semantics *s,
                                         const struct monitor_event *const *path, int i)
{
    uint64_t excused = 0;
    for (int x = 0; x < i; x++) {
        if (!path[x]) continue;
        if (path[x]->letter == LETTER_LD && path[i]->letter == LETTER_LD) excused |= 1ull << x;
        if (path[x]->letter != LETTER_PIPE || path[i]->letter != LETTER_PIPE) continue;
        const struct monitor_class *class = &s->classes[path[x]->detail];
        bool pair = s->pairs(class->data, s->classes[path[i]->detail].data);
        for (int w = x + 1; w < i; w++)
            for (uint32_t r = 0; path[w] && path[w]->letter == LETTER_WRITE && r < class->register_count;
                 r++)
                if (class->registers[r] == path[w]->detail) pair = false;
        if (pair) excused |= 1ull << x;
    }
    return excused;
}

/* The asynchronous operations of this thread before occurrence i. */
static inline uint64_t semantics_own(const struct monitor_event *const *path, int i)
{
    uint64_t own = 0;
    for (int x = 0; x < i; x++)
        if (path[x] && path[x]->letter <= LETTER_PIPE) own |= 1ull << x;
    return own;
}

static inline bool semantics_any(struct facts facts)
{
    return facts.own_or_complete || facts.ordered;
}

/* Does occurrence i see less in r than in o? */
static inline bool semantics_sees_less(const struct semantics *s,
                                       const struct monitor_event *const *path, int i,
                                       const struct registers *o, const struct registers *r)
{
    const struct facts none = {0, 0};
    struct facts to = facts_less(o->tc, o->to, r->tc, r->to);
    struct facts released = facts_less(o->rc, o->ro, r->rc, r->ro);
    struct facts h = facts_less(o->h, none, r->h, none), w = facts_less(o->w, none, r->w, none);
    struct facts tc = facts_less(o->tc, none, r->tc, none);
    switch (path[i]->letter) {
    case LETTER_LD:
    case LETTER_ST:
    case LETTER_PIPE: {
        struct facts all = facts_or(to, h);
        all.own_or_complete &= ~semantics_excused(s, path, i);
        return semantics_any(all);
    }
    case LETTER_RELEASE:
    case LETTER_BOTH: return semantics_any(facts_or(released, h));
    case LETTER_OBSERVER: {
        struct facts n = facts_less(o->nc, o->no, r->nc, r->no);
        /* The thread's own operations are before a synchronous instruction anyway. */
        to.own_or_complete &= ~semantics_own(path, i);
        to = facts_or(to, tc);
        return semantics_any(facts_or(facts_or(facts_or(to, released), facts_or(h, w)), n));
    }
    case LETTER_EXIT: return semantics_any(facts_or(facts_or(released, h), facts_or(w, tc)));
    case LETTER_COMMIT: {
        struct facts oc = facts_or(facts_or(o->rc, o->w), facts_or(o->tc, o->issued[2]));
        struct facts rc = facts_or(facts_or(r->rc, r->w), facts_or(r->tc, r->issued[2]));
        return semantics_any(
            facts_less(oc, facts_or(o->ro, o->to), rc, facts_or(r->ro, r->to)));
    }
    default: return false;
    }
}

/* True when on this path, under this reading, some observer sees less. path[i] is NULL for an
 * event that did not run. */
static inline bool semantics_path_less(const struct semantics *s,
                                       const struct monitor_event *const *path, int count)
{
    struct registers o = {0}, r = {0};
    for (int i = 0; i < count; i++) {
        if (!path[i]) continue;
        if (semantics_sees_less(s, path, i, &o, &r)) return true;
        semantics_step(s, path[i]->letter, i, &o);
        if (!path[i]->deleted) semantics_step(s, path[i]->letter, i, &r);
    }
    return false;
}

/* Every reading. */
static inline bool semantics_less(const struct monitor_graph *graph,
                                  const struct monitor_event *const *path, int count)
{
    for (int reading = 0; reading < 4; reading++) {
        struct semantics s = {reading & 1, reading & 2, graph->pairs, graph->classes};
        if (semantics_path_less(&s, path, count)) return true;
    }
    return false;
}

/* Paths through a graph from its entry, each event at most often enough for the path to stay
 * below PATH_EVENTS_MAX. */
struct paths {
    const struct monitor_graph *graph;
    const struct monitor_event *path[PATH_EVENTS_MAX];
    int count, visits_max;
    int visits[16];
    uint64_t tried, tried_max;
    bool less;
};

static inline void paths_block(struct paths *p, uint32_t block);

static inline void paths_event(struct paths *p, uint32_t block, uint32_t event)
{
    const struct monitor_block *at = &p->graph->blocks[block];
    if (p->less || p->count == PATH_EVENTS_MAX || p->tried >= p->tried_max) return;
    if (event == at->end) {
        p->tried++;
        p->less = semantics_less(p->graph, p->path, p->count);
        for (uint32_t s = at->succ_start; s < at->succ_end; s++) paths_block(p, p->graph->succs[s]);
        return;
    }
    /* A joined commit runs exactly when the fence before it did. */
    bool joined = p->graph->events[event].joined;
    bool before_ran = joined && p->path[p->count - 1];
    p->path[p->count++] = &p->graph->events[event];
    if (!joined || before_ran) paths_event(p, block, event + 1);
    if (p->graph->events[event].guarded && !before_ran) {
        p->path[p->count - 1] = NULL;
        paths_event(p, block, event + 1);
    }
    p->count--;
}

static inline void paths_block(struct paths *p, uint32_t block)
{
    if (p->visits[block] == p->visits_max) return;
    p->visits[block]++;
    paths_event(p, block, p->graph->blocks[block].start);
    p->visits[block]--;
}

/* The brute-force verdict: true when no path up to the bounds loses anything. */
static inline bool paths_legal(const struct monitor_graph *graph, int visits_max,
                               uint64_t tried_max, bool *complete)
{
    struct paths p = {.graph = graph, .visits_max = visits_max, .tried_max = tried_max};
    paths_block(&p, 0);
    *complete = p.tried < p.tried_max;
    return !p.less;
}

/* Classes for tests: 0 and 1 pair with themselves, 2 with nothing; each has its own register. */
static inline bool test_pairs(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;
    return *a == *b && *a < 2;
}

#endif
