/* Estimates what a plan costs in registers. */
#ifndef PTXOPT_ENGINE_ESTIMATE_H
#define PTXOPT_ENGINE_ESTIMATE_H

#include "engine/plan.h"

/* Fills the live registers of the plan and of its removals where they can be estimated
 * (order/pressure.h). analysis: of the program after all removals. Memory is in arena. */
void estimate_fill(struct function_plan *plan, const struct analysis *analysis,
                   struct arena *arena);

#endif
