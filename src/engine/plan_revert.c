/* What is planned and not proven goes back. See plan.h. */
#include "engine/plan.h"

#include <stdlib.h>

static int by_place(const void *a, const void *b)
{
    const struct decision *x = a, *y = b;
    if (x->instr != y->instr) return x->instr < y->instr ? -1 : 1;
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

bool plan_revert_wide(struct function_plan *plan)
{
    uint32_t kept = 0, count = plan->deleted.count;
    for (uint32_t i = 0; i < count; i++) {
        struct decision decision = plan->deleted.at[i];
        if (!decision.wide) {
            plan->deleted.at[kept++] = decision;
            continue;
        }
        decision.verdict = (struct verdict){REASON_NO_COVER, NO_WITNESS, 0};
        decision.witness = (struct plan_place){.span = {0, 0}};
        decision.steps = NULL;
        decision.grounds = NULL;
        decision.step_count = decision.more_operations = 0;
        vec_push(&plan->declined, decision);
    }
    plan->deleted.count = kept;
    if (kept == count) return false;
    qsort(plan->declined.at, plan->declined.count, sizeof *plan->declined.at, by_place);
    return true;
}

void plan_revert(struct function_plan *plan, const char *reason, const char *why)
{
    plan->deleted.count = plan->declined.count = 0;
    plan->skipped = reason;
    plan->skipped_why = why;
    plan->skipped_at = plan->span.start;
}
