/* The ordering steps of removals: what the removed instruction ordered, what orders it now, and
 * which instruction needs that order. */
#ifndef PTXOPT_ENGINE_STEPS_H
#define PTXOPT_ENGINE_STEPS_H

#include "engine/plan.h"

/* Fills steps and grounds of all removals of the plan, in arena. analysis: the program as it is
 * after all of them, so that each line of the steps but a removal's own is one that is kept. */
void steps_build(struct function_plan *plan, const struct analysis *analysis, struct arena *arena);

/* Fills the plan's operations: all instructions that order or are ordered, but those that only
 * elect a lane or set up an mbarrier. */
void steps_list_operations(struct function_plan *plan, const struct analysis *analysis);

#endif
