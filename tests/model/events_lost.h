/* Finds the orders that the original of an execution guarantees and the rewrite does not. */
#ifndef PTXOPT_TESTS_MODEL_EVENTS_LOST_H
#define PTXOPT_TESTS_MODEL_EVENTS_LOST_H

#include "events_graph.h"

struct lost {
    uint64_t place, complete;
};

/* Facts that the original has before the node `at`, and the rewrite has neither there nor before
 * `or_at`. */
static inline struct lost lost_at(const struct events *g, uint16_t at, uint16_t or_at)
{
    struct lost lost = {0, 0};
    const struct ancestors *here = &g->nodes[at], *there = &g->nodes[or_at];
    for (int view = 0; view < VIEWS; view += 2) {
        int less = view + 1;
        lost.place |= here->place[view] & ~(here->place[less] | there->place[less]);
        lost.complete |= here->complete[view] & ~(here->complete[less] | there->complete[less]);
    }
    return lost;
}

/* Loads and stores of the same thread that touch none of the cells of op j. */
static inline uint64_t sources_elsewhere(const struct events *g, int t, int j)
{
    const struct op *ops = g->execution->threads[t].ops;
    uint64_t found = 0;
    for (int i = 0; i < j && ops[j].kind < EVENT_PIPE; i++)
        if (ops[i].kind < EVENT_PIPE && g->source[t][i] >= 0 &&
            (ops[i].spared | ops[j].spared) == CELLS_ALL)
            found |= 1ull << g->source[t][i];
    return found;
}

/* What is before the execution in the rewrite need not be before the start as well, since nobody
 * sees an operation start. The converse is required, as no sentence leads from the start to the
 * execution. */
static inline bool async_loses(const struct events *g, int t, int j)
{
    const struct op *op = &g->execution->threads[t].ops[j];
    uint16_t n = node(t, j, PLACE_N), e = node(t, j, PLACE_E);
    struct lost lost = lost_at(g, e, e), start = lost_at(g, n, g->vary & VARY_START ? n : e);
    for (int i = 0; i < j && g->vary & VARY_NO_CHAIN; i++)
        if (ops_pair(&g->execution->threads[t].ops[i], op) && g->source[t][i] >= 0)
            lost.place &= ~(1ull << g->source[t][i]);
    uint64_t any = lost.place | lost.complete | start.place | start.complete;
    if (!(g->vary & VARY_ELSEWHERE)) any &= ~sources_elsewhere(g, t, j);
    return op->kind == EVENT_LD ? any & ~g->loads : any;
}

static inline bool loses_at(const struct events *g, int t, int j, int place)
{
    struct lost lost = lost_at(g, node(t, j, place), node(t, j, place));
    return lost.place | lost.complete;
}

/* An order without completion does not help a dealloc. */
static inline bool alloc_loses(const struct events *g, int t, int j)
{
    struct lost lost = lost_at(g, node(t, j, PLACE_G), node(t, j, PLACE_G));
    return lost.complete || (lost.place && g->vary & VARY_ALLOCATION);
}

static inline bool op_loses(const struct events *g, int t, int j)
{
    uint8_t kind = g->execution->threads[t].ops[j].kind;
    bool gives = op_gives(kind), takes = op_takes(kind), allocates = kind == EVENT_ALLOC;
    bool tensor = kind == EVENT_COMMIT || kind == EVENT_EXIT;
    if (op_is_async(kind)) return async_loses(g, t, j);
    if (!gives && !takes && !allocates) return false;
    return (gives && loses_at(g, t, j, PLACE_X)) || (takes && loses_at(g, t, j, PLACE_Q)) ||
           (tensor && loses_at(g, t, j, PLACE_G)) || (allocates && alloc_loses(g, t, j)) ||
           loses_at(g, t, j, PLACE_N);
}

/* True if under some reading the rewrite lacks an order of the original: of two operations of which
 * one is asynchronous or both are execution-ordering operations; of a completion before an
 * operation, a dealloc or the end of a thread. The order of two loads is not observable. */
static inline bool events_lose(const struct events *g)
{
    for (int t = 0; t < g->execution->thread_count; t++)
        for (int j = 0; j < g->execution->threads[t].count; j++)
            if (op_loses(g, t, j)) return true;
    return false;
}

#endif
