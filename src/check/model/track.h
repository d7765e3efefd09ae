/* One event after the other for one fact under one reading; and, when that is refused, a path. */
#ifndef PTXOPT_CHECK_MODEL_TRACK_H
#define PTXOPT_CHECK_MODEL_TRACK_H

#include "check/model/transfer.h"
#include "check/prove/monitor.h"

struct track {
    const struct monitor_graph *graph;
    const struct transfer_table *table;
    enum monitor_fact fact;
    bool literal;
    uint32_t class;
    uint8_t *pairs; /* by class: it pairs with the fact's; NULL without class */
};

/* For the fact, reading and class of proof; its sets are not looked at. */
void track_prepare(struct track *track, const struct monitor_graph *graph,
                   const struct monitor_proof *proof);
void track_free(struct track *track);

/* Every pair that is equal in both programs. */
void track_add_any(struct monitor_set *set);

/* True when event sees less with one of the pairs. */
bool track_refuses(const struct track *track, const struct monitor_event *event,
                   const struct monitor_set *set);

/* The pairs behind event. */
void track_event(const struct track *track, const struct monitor_event *event,
                 struct monitor_set *set);

/* Finds a shortest way (in blocks) to a refusal that is known to exist. */
void trace_fact(const struct track *track, struct monitor_fault *fault);

#endif
