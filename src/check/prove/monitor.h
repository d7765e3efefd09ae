/* Checks that no observer sees less without the removed events.
 *
 * It follows one fact at a time over a graph of events, as the pair (registers of the model that
 * hold the fact in BEFORE, those in AFTER). Updates are unions, so each fact can be followed by
 * itself. The finite set of pairs at each block is the proof. */
#ifndef PTXOPT_CHECK_PROVE_MONITOR_H
#define PTXOPT_CHECK_PROVE_MONITOR_H

#include "base/vec.h"
#include "check/prove/solution.h"
#include "check/prove/trace_fact.h"

/* One analysis: one fact under one reading of the ISA. */
struct monitor_proof {
    enum monitor_fact fact;
    bool literal;
    uint32_t class;       /* the class that the fact is divided into, or MONITOR_NONE */
    struct solution sets; /* solution of track_flow */
};

struct monitor_proofs VEC(struct monitor_proof);

void monitor_proofs_free(struct monitor_proofs *proofs);

/* Returns true if no observer sees less under any reading. Otherwise returns false and fills
 * *fault. Appends the proofs to proofs unless it is NULL. */
bool monitor_check(const struct monitor_graph *graph, struct monitor_proofs *proofs,
                   struct monitor_fault *fault);

/* As monitor_check, but begins at the fact of a fault that monitor_check found before the fact
 * could be divided into classes. The facts before it are proven already. */
bool monitor_resume(const struct monitor_graph *graph, struct monitor_proofs *proofs,
                    struct monitor_fault *fault);

/* Whether the sets of one analysis hold, tested in one pass. */
bool monitor_holds(const struct monitor_graph *graph, const struct monitor_proof *proof);

/* Whether proofs has all analyses: every fact and reading without class, or instead with every
 * class if the fact can be divided. */
bool monitor_complete(const struct monitor_graph *graph, const struct monitor_proofs *proofs);

#endif
