/* Names the instruction that a decline is about. */
#ifndef PTXOPT_ENGINE_OBSTACLES_H
#define PTXOPT_ENGINE_OBSTACLES_H

#include "engine/plan.h"
#include "order/analysis.h"

/* What only itself would cover is reported as not covered. A decline that names an election, a
 * shuffle, a fence or the like (OPCODE_ASIDE), of a proxy fence also a tcgen05 wait or fence, gets
 * the reason and the witness that it would have without all such, if it would still be one: that is
 * what prevents the removal. Removals are not changed. */
void obstacles_name(struct function_plan *plan, struct analysis *analysis);

#endif
