/* Copies the estimated live registers of each place to the removals. See estimate.h. */
#include "engine/estimate.h"

void estimate_fill(struct function_plan *plan, const struct analysis *analysis, struct arena *arena)
{
    struct pressure pressure;
    if (!plan->deleted.count || !pressure_build(&pressure, analysis, arena)) return;
    plan->live = pressure.most;
    for (uint32_t i = 0; i < plan->deleted.count; i++)
        plan->deleted.at[i].live = pressure.of[plan->deleted.at[i].instr];
}
