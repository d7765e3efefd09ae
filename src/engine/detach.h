/* Copies a plan so that it does not need the view. */
#ifndef PTXOPT_ENGINE_DETACH_H
#define PTXOPT_ENGINE_DETACH_H

#include "engine/plan.h"

/* Fills the place of every decision and, in arena, its stack of CUDA lines (engine/inlined.h).
 * origins: also fills the CUDA lines of the instructions that grounds and steps name. scratch: for
 * memory that is not needed afterwards. */
void detach_plan(struct function_plan *plan, const struct function *function, bool origins,
                 struct arena *scratch, struct arena *arena);

#endif
