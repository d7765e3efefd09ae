/* Does any observer see less without the deleted events?
 *
 * Follows one injected fact at a time over a graph of events, as the pair (registers that hold
 * it in the original, in the rewrite). Updates are unions, so one fact at a time is enough, and
 * the finite set of pairs at each block is the proof. */
#ifndef PTXOPT_CHECK_PROVE_MONITOR_H
#define PTXOPT_CHECK_PROVE_MONITOR_H

#include "base/vec.h"
#include "check/model/event.h"
#include "check/model/transfer.h"

/* One analysis: a fact under a reading; at[b] is what may hold when block b is entered. */
struct monitor_proof {
    enum monitor_fact fact;
    bool literal;
    uint32_t class;         /* FACT_PIPE told apart by class, else MONITOR_NONE */
    struct monitor_set *at; /* block_count, mem_alloc */
    bool *reached;
};

struct monitor_proofs VEC(struct monitor_proof);

void monitor_proofs_free(struct monitor_proofs *proofs);

struct monitor_fault {
    enum monitor_fact fact;
    bool literal;
    bool too_big;              /* given up, nothing below is set */
    uint32_t source;           /* event that made the fact, NONE: it was there at entry */
    uint32_t culprit;          /* the deleted event that made the difference */
    uint32_t observer;         /* event that sees less */
    struct VEC(uint32_t) path; /* blocks from the source's to the observer's; vec_free */
};

/* True when no observer sees less under any reading; else false and the fault. The proofs are
 * appended to proofs unless it is NULL. */
bool monitor_check(const struct monitor_graph *graph, struct monitor_proofs *proofs,
                   struct monitor_fault *fault);

/* One pass over one analysis: true when its sets hold at the entry, are kept by every block and
 * let no observer see less. */
bool monitor_holds(const struct monitor_graph *graph, const struct monitor_proof *proof);

/* The analyses that must hold: every fact and reading without class. Fact FACT_PIPE may be
 * given by class instead, for every class. */
bool monitor_complete(const struct monitor_graph *graph, const struct monitor_proofs *proofs);

#endif
