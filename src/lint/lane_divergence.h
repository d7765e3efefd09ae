/* The part of divergent-aligned for branches on data of the lanes: each lane has loaded its own
 * value, or computed its own bound. */
#ifndef PTXOPT_LINT_LANE_DIVERGENCE_H
#define PTXOPT_LINT_LANE_DIVERGENCE_H

#include "lint/lint.h"

/* All lanes of a warp must execute the instruction together: it is .aligned, or a bar, which is the
 * same as barrier.aligned (ISA 9.7.13.1). */
bool lane_divergence_is_aligned(const struct lint *lint, uint32_t instr);

/* Reports as findings of code the .aligned instructions that only one side of such a branch
 * executes, one for each branch. Call it after the rest of the code, whose findings it does not
 * repeat. */
void lane_divergence_report(struct lint *lint, const struct lint_code *code);

#endif
