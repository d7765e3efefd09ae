/* Finds the instructions besides the witness that the argument for a removal depends on. */
#ifndef PTXOPT_ENGINE_GROUNDS_H
#define PTXOPT_ENGINE_GROUNDS_H

#include "engine/plan.h"
#include "order/outstanding.h"

/* Fills grounds for one removal of the plan, except before, which the caller sets. analysis: of the
 * program after all removals. operations[0..count): the operations that the removed instruction
 * would order (for a wait, those in flight at it), the nearest first. */
void grounds_find(struct plan_grounds *grounds, const struct decision *decision,
                  const struct function_plan *plan, const struct analysis *analysis,
                  const uint32_t *operations, uint32_t count);

struct plan_ground ground_at(const struct analysis *analysis, uint32_t instr);

static inline bool ground_is(const struct plan_ground *ground)
{
    return ground->instr != NO_WITNESS;
}

#endif
