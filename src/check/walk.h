/* One event after the other for one fact under one reading; and, when that is refused, a path. */
#ifndef PTXOPT_CHECK_WALK_H
#define PTXOPT_CHECK_WALK_H

#include "check/monitor.h"
#include "check/step.h"

struct walk {
    const struct monitor_graph *graph;
    const struct step_table *table;
    enum monitor_fact fact;
    bool literal;
    uint32_t class;
    uint8_t *pairs; /* by class: it pairs with this walk's; NULL without class */
};

/* For the fact, reading and class of proof; its sets are not looked at. */
void walk_prepare(struct walk *walk, const struct monitor_graph *graph,
                  const struct monitor_proof *proof);
void walk_free(struct walk *walk);

/* Every pair that is equal in both programs. */
void walk_add_any(struct monitor_set *set);

/* True when event sees less with one of the pairs. */
bool walk_refuses(const struct walk *walk, const struct monitor_event *event,
                  const struct monitor_set *set);

/* The pairs behind event. */
void walk_step(const struct walk *walk, const struct monitor_event *event, struct monitor_set *set);

/* Finds a shortest way (in blocks) to a refusal that is known to exist. */
void walk_trace(const struct walk *walk, struct monitor_fault *fault);

#endif
