/* Finds the first relevant instruction on each path from a place. Answers for many places come from
 * one solution over the part of the graph that the places reach, in time linear in its events and
 * edges. */
#ifndef PTXOPT_ORDER_SCAN_H
#define PTXOPT_ORDER_SCAN_H

#include "order/cover.h"
#include "order/analysis.h"

/* The start of the body, which a backward scan may reach. It is not an instruction. */
#define SCAN_ENTRY UINT32_MAX
enum { SCAN_STATES = 8 };

/* A question about one function. The scan passes over removed instructions and over REGISTER and
 * MEMORY effects. */
struct scan {
    const struct analysis *analysis;
    const struct cover_table *table;
};

enum scan_found {
    SCAN_NOTHING, /* every path continues forever */
    SCAN_DONE, /* no path stops, and at least one is answered; witness: the instruction that answers
                  one */
    SCAN_STOP, /* a path stops, for the reason, at the witness */
};

/* A path that stops still stops if instructions are removed that are not its witness: their notes
 * only prevent a stop, and an answer that they gave is then given later or not at all. The same
 * holds for paths that continue forever. */
struct scan_answer {
    enum scan_found found;
    struct verdict verdict; /* reason is REASON_NONE unless found is SCAN_STOP */
};

/* Allocates the buffers of the scans of a function, which each scan uses again. scan_room_free
 * frees their lists; the rest is in arena. */
struct scan_room *scan_room_build(const struct cfg *cfg, struct arena *arena);
void scan_room_free(struct scan_room *room);

/* Sets answers[k] to the answer for paths that begin just after (backward: just before) event at[k]
 * in the state `state`. at: ascending instruction indices of events. Evaluates only the sites that
 * are open, which means that open[k].reason is REASON_NONE; the other answers do not change. */
void scan_run(const struct analysis *analysis, const struct cover_table *table, const uint32_t *at,
              uint32_t count, unsigned state, const struct verdict *open,
              struct scan_answer *answers);

/* The answer of a path at event i, for a table whose paths have no state. SCAN_NOTHING: the path
 * continues. */
enum scan_found scan_event(const struct analysis *analysis, const struct cover_table *table,
                           uint32_t i);

/* False if no path of a scan can stop, because the function has no instruction that stops one. */
bool scan_may_stop(const struct analysis *analysis, const struct cover_table *table);

#endif
