/* Copies a plan so that it does not need the view. */
#ifndef PTXOPT_ENGINE_DETACH_H
#define PTXOPT_ENGINE_DETACH_H

#include "engine/plan.h"

/* Fills the places of every decision, and the stacks of CUDA lines, which are in arena; with
 * origins also the CUDA lines of what the arguments name. */
void detach_plan(struct function_plan *plan, const struct function *function, bool origins,
                 struct arena *scratch, struct arena *arena);

#endif
