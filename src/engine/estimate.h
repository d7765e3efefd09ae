/* Estimates what a plan costs in registers. */
#ifndef PTXOPT_ENGINE_ESTIMATE_H
#define PTXOPT_ENGINE_ESTIMATE_H

#include "engine/plan.h"

/* Fills what is live of the plan and its removals, where it can be estimated (order/pressure.h).
 * analysis: the program as it is after all of them. */
void estimate_fill(struct function_plan *plan, const struct analysis *analysis,
                   struct arena *arena);

#endif
