/* Finds the first relevant instruction on each path from a place. Many places are evaluated at
 * once: all answers come from one solution over the part of the graph that they reach, in time
 * linear in its events and edges. */
#ifndef PTXOPT_ORDER_SCAN_H
#define PTXOPT_ORDER_SCAN_H

#include "order/cover.h"
#include "order/analysis.h"

/* The start of the body, met by backward scans; no instruction. */
#define SCAN_ENTRY UINT32_MAX
enum { SCAN_STATES = 8 };

/* A question about one function. Removed instructions are passed over, and so are REGISTER and
 * MEMORY effects. */
struct scan {
    const struct analysis *analysis;
    const struct cover_table *table;
};

enum scan_found {
    SCAN_NOTHING, /* every path continues without end */
    SCAN_DONE,    /* none stops; witness is where one of them was answered */
    SCAN_STOP,    /* one stops: reason and witness */
};

struct scan_answer {
    enum scan_found found;
    struct verdict verdict; /* reason is REASON_NONE unless a path stopped */
};

/* What the scans of a function work with, kept from one to the next. Lists are on the heap: free
 * with scan_room_free; the rest is in arena. */
struct scan_room *scan_room_build(const struct cfg *cfg, struct arena *arena);
void scan_room_free(struct scan_room *room);

/* answers[k] is what holds just after (backward: just before) event at[k] in state; at ascends.
 * Only those that are not declined yet are evaluated: open[k].reason is REASON_NONE. The
 * answers of the others are not changed. */
void scan_run(const struct analysis *analysis, const struct cover_table *table, const uint32_t *at,
              uint32_t count, unsigned state, const struct verdict *open,
              struct scan_answer *answers);

#endif
