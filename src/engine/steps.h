/* The ordering steps of removals: what the removed instruction ordered, what orders it now, and
 * which instruction needs that order. */
#ifndef PTXOPT_ENGINE_STEPS_H
#define PTXOPT_ENGINE_STEPS_H

#include "engine/plan.h"

/* Fills the steps and grounds of all removals of the plan, in arena. analysis: of the program after
 * all removals, so that every instruction of the steps, except the removed one, is kept. */
void steps_build(struct function_plan *plan, const struct analysis *analysis, struct arena *arena);

/* Fills the operations of the plan: all instructions that order or are ordered, except those that
 * only elect a lane or initialise an mbarrier. */
void steps_list_operations(struct function_plan *plan, const struct analysis *analysis);

#endif
