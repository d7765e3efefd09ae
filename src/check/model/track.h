/* What becomes of one fact, under one reading, on the way through events? */
#ifndef PTXOPT_CHECK_MODEL_TRACK_H
#define PTXOPT_CHECK_MODEL_TRACK_H

#include "check/model/flow.h"
#include "check/model/transfer.h"

struct track {
    const struct monitor_graph *graph;
    const struct transfer_table *table;
    enum monitor_fact fact;
    bool literal;
    uint32_t class; /* FACT_PIPE told apart by class; the number behind the last: of a caller or
                     * callee; else NONE */
    uint8_t *pairs; /* by class: it pairs with the fact's; NULL without class */
};

void track_prepare(struct track *track, const struct monitor_graph *graph, enum monitor_fact fact,
                   bool literal, uint32_t class);
void track_free(struct track *track);

/* Sets of pairs (struct monitor_set); refuses the first with which an observer sees less. */
struct flow track_flow(struct track *track);

/* May the fact be there at the entry, in any pair that is equal in both programs? */
bool track_starts_with_any(const struct track *track);

/* True when event sees less with one of the pairs. */
bool track_refuses(const struct track *track, const struct monitor_event *event,
                   const struct monitor_set *set);

/* Can event change a pair at all; the pair behind it, when it runs; what it brings into the
 * world. */
bool track_moves(const struct track *track, const struct monitor_event *event);
unsigned track_pair(const struct track *track, const struct monitor_event *event, unsigned pair);
enum transfer_birth track_birth(const struct track *track, const struct monitor_event *event);

#endif
