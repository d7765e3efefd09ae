/* Searches for a solution of a flow, and tests one. */
#ifndef PTXOPT_CHECK_PROVE_SOLUTION_H
#define PTXOPT_CHECK_PROVE_SOLUTION_H

#include "check/model/flow.h"

/* By block: what may hold at its entry, and whether a path leads there. */
struct solution {
    uint64_t *at; /* words for each block; of one that is not reached they are nothing */
    bool *reached;
};

/* No block is reached; nothing where there is no question. Release with solution_free. */
void solution_prepare(struct solution *solution, const struct flow *flow);
void solution_free(struct solution *solution);

uint64_t *solution_at(const struct solution *solution, const struct flow *flow, uint32_t block);

/* The set of a block that is reached from now on; empty if it was not before. */
uint64_t *solution_reach(struct solution *solution, const struct flow *flow, uint32_t block);

/* Finds the smallest sets that hold; no block is reached yet. False at the first refusal; then
 * the sets are unfinished. With flow->begins only blocks with something in their sets are reached,
 * and those that begin it. */
bool solution_find(struct solution *solution, const struct flow *flow);

/* One pass: whether the sets hold at the entry, every block keeps them, and none is refused. */
bool solution_holds(const struct solution *solution, const struct flow *flow);

#endif
