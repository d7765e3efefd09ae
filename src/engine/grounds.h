/* Finds the instructions, beside its witness, that the argument for a removal rests on. */
#ifndef PTXOPT_ENGINE_GROUNDS_H
#define PTXOPT_ENGINE_GROUNDS_H

#include "engine/plan.h"
#include "order/outstanding.h"

/* Finds them for a removal of the plan; except before, which the caller sets. analysis: the
 * program after all removals. operations: what the removed one was to order, of a wait what is
 * outstanding at it, the nearest first. */
void grounds_find(struct plan_grounds *grounds, const struct decision *decision,
                  const struct function_plan *plan, const struct analysis *analysis,
                  const uint32_t *operations, uint32_t count);

struct plan_ground ground_at(const struct analysis *analysis, uint32_t instr);

static inline bool ground_is(const struct plan_ground *ground)
{
    return ground->instr != NO_WITNESS;
}

#endif
