/* Names the instruction that prevents a removal. */
#ifndef PTXOPT_ENGINE_OBSTACLES_H
#define PTXOPT_ENGINE_OBSTACLES_H

#include "engine/plan.h"
#include "order/analysis.h"

/* Changes the reason and the witness of declines; removals do not change. If only the candidate
 * itself would cover it, on the next iteration of a loop, the reason becomes "not covered". If the
 * witness of a decline is an election, a shuffle, a fence or a similar instruction (OPCODE_ASIDE),
 * or, for a proxy fence, a tcgen05 wait or fence, the rule runs again without all such
 * instructions: if it still declines, that reason and witness are what prevents the removal. */
void obstacles_name(struct function_plan *plan, struct analysis *analysis);

#endif
