/* Finds a solution of a flow (check/model/flow.h), and tests a given one. */
#ifndef PTXOPT_CHECK_PROVE_SOLUTION_H
#define PTXOPT_CHECK_PROVE_SOLUTION_H

#include "check/model/flow.h"

/* For each block, what may hold at its entry, and whether a path reaches it. */
struct solution {
    uint64_t *at; /* flow->words for each block; of a block that is not reached they are not set */
    bool *reached;
};

/* Initialises a solution in which no block is reached; it is empty if the flow has no question.
 * Release it with solution_free. */
void solution_prepare(struct solution *solution, const struct flow *flow);
void solution_free(struct solution *solution);

/* Makes it a solution in which no block is reached again. flow: of as many words and blocks. */
void solution_clear(struct solution *solution, const struct flow *flow);

uint64_t *solution_at(const struct solution *solution, const struct flow *flow, uint32_t block);

/* Marks a block as reached, and returns its set, which is empty if the block was not reached
 * before. */
uint64_t *solution_reach(struct solution *solution, const struct flow *flow, uint32_t block);

/* Finds the smallest sets that hold, from a solution in which no block is reached. Returns false at
 * the first refusal; then the sets are incomplete. With flow->kinds, only blocks that begin
 * something, and those to which something flows, are reached; with flow->leads, only blocks that
 * lead to a removed event, and those to which something flows. */
bool solution_find(struct solution *solution, const struct flow *flow);

/* Tests in one pass whether the sets hold at the entry, whether each block passes on no more than
 * the sets of its successors, and whether no block refuses. */
bool solution_holds(const struct solution *solution, const struct flow *flow);

#endif
