/* Which CTAs of a cluster execute an instruction, and at the mbarriers of which CTAs it arrives. A
 * CTA is identified by its rank, the value of %cluster_ctarank. */
#ifndef PTXOPT_LINT_CLUSTER_RANK_H
#define PTXOPT_LINT_CLUSTER_RANK_H

#include "lint/lint.h"
#include "value/barriers.h"
#include "value/conditions.h"
#include "value/lanes.h"

/* The largest cluster that is examined: 16 is the most that a launch can ask for. */
enum { CLUSTER_CTAS_MAX = 16 };

/* Keeps the answers of the functions below, for lint->ranks. In lint->arena, except the memory that
 * cluster_ranks_free frees. */
struct cluster_ranks *cluster_ranks_new(const struct lint *lint);
void cluster_ranks_free(struct cluster_ranks *ranks);

/* For each rank, how many CTAs of the cluster arrive at the mbarrier of that CTA: at least, and at
 * most. */
struct cluster_arrivals {
    uint8_t least[CLUSTER_CTAS_MAX], most[CLUSTER_CTAS_MAX];
};

/* The value is certainly the same in the threads with the same number of all CTAs of the cluster.
 */
bool cluster_rank_alike(const struct lint *lint, const struct lanes_shape *shape, struct value v);

/* Whether threads of the CTA with that rank execute the instruction, if the conditions hold that
 * are the same in all CTAs of the cluster. */
enum truth cluster_rank_runs(const struct lint *lint, const struct lanes_shape *shape,
                             uint32_t instr, uint32_t rank);

/* Threads of one CTA may execute both instructions. */
bool cluster_rank_may_share(const struct lint *lint, uint32_t a, uint32_t b);

/* Some CTA of the cluster certainly executes the instruction, and the value is there the rank of
 * another CTA. False if the number of CTAs is not known or exceeds CLUSTER_CTAS_MAX. */
bool cluster_rank_leaves(const struct lint *lint, const struct lanes_shape *shape, uint32_t instr,
                         struct value to);

/* shape->ctas is 1 to CLUSTER_CTAS_MAX. */
struct cluster_arrivals cluster_rank_arrivals(const struct lint *lint,
                                              const struct lanes_shape *shape,
                                              const struct barrier_use *use);

#endif
