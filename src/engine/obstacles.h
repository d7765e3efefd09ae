/* Names the instruction that a decline is about. */
#ifndef PTXOPT_ENGINE_OBSTACLES_H
#define PTXOPT_ENGINE_OBSTACLES_H

#include "engine/plan.h"
#include "order/analysis.h"

/* What would go by nothing but itself is said to have no cover. A decline that names an election, a
 * shuffle, a fence or the like (OPCODE_ASIDE), of a proxy fence also a tcgen05 wait or fence, gets
 * the reason and the witness that it would have without all such, if it would still be one: that is
 * who stands in the way. Deletions stay what they are. */
void obstacles_name(struct function_plan *plan, struct analysis *analysis);

#endif
