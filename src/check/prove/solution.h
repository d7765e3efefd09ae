/* Is a flow never refused? Searched for here, and tested. */
#ifndef PTXOPT_CHECK_PROVE_SOLUTION_H
#define PTXOPT_CHECK_PROVE_SOLUTION_H

#include "check/model/flow.h"

/* By block: what may hold at its entry, and whether a way leads there at all. */
struct solution {
    uint64_t *at; /* words for each block */
    bool *reached;
};

/* Empty sets for a flow; nothing where there is nothing to ask. Release with solution_free. */
void solution_prepare(struct solution *solution, const struct flow *flow);
void solution_free(struct solution *solution);

uint64_t *solution_at(const struct solution *solution, const struct flow *flow, uint32_t block);

/* Fills the sets, which are empty, with the smallest that hold. False at the first refusal; then
 * the sets are unfinished. */
bool solution_find(struct solution *solution, const struct flow *flow);

/* One pass: do the sets hold at the entry, does every block keep them, and is none refused? */
bool solution_holds(const struct solution *solution, const struct flow *flow);

#endif
