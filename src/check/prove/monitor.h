/* Checks that no observer sees less without the removed events.
 *
 * Follows one injected fact at a time over a graph of events, as the pair (registers that hold
 * it in the original, in the rewrite). Updates are unions, so one fact at a time is enough, and
 * the finite set of pairs at each block is the proof. */
#ifndef PTXOPT_CHECK_PROVE_MONITOR_H
#define PTXOPT_CHECK_PROVE_MONITOR_H

#include "base/vec.h"
#include "check/prove/solution.h"
#include "check/prove/trace_fact.h"

/* One analysis: a fact under a reading. */
struct monitor_proof {
    enum monitor_fact fact;
    bool literal;
    uint32_t class;       /* of a fact that is distinguished by class, else MONITOR_NONE */
    struct solution sets; /* of track_flow */
};

struct monitor_proofs VEC(struct monitor_proof);

void monitor_proofs_free(struct monitor_proofs *proofs);

/* True when no observer sees less under any reading; else false and the fault. The proofs are
 * appended to proofs unless it is NULL. */
bool monitor_check(const struct monitor_graph *graph, struct monitor_proofs *proofs,
                   struct monitor_fault *fault);

/* The same from the fact of a fault on, which monitor_check found before the fact could be
 * distinguished by class: those before it hold by what was proven then. */
bool monitor_resume(const struct monitor_graph *graph, struct monitor_proofs *proofs,
                    struct monitor_fault *fault);

/* One pass over one analysis: whether its sets hold. */
bool monitor_holds(const struct monitor_graph *graph, const struct monitor_proof *proof);

/* The analyses that must hold: every fact and reading without class. A fact that can be divided may
 * be given by class instead, for every class. */
bool monitor_complete(const struct monitor_graph *graph, const struct monitor_proofs *proofs);

#endif
