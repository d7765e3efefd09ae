/* Why does nobody miss the deleted instruction? The instructions to look at, in order: the
 * asynchronous operations that it would have ordered, itself, and what orders them now. */
#include "engine/steps.h"

#include <stdlib.h>

#include "order/outstanding.h"

enum { NAMED = 4 }; /* operations among the steps */

/* Which operations the instruction orders when it is about those issued before; 0 when it is about
 * later ones, or about memory. */
static unsigned ordered_by(enum effect effect)
{
    switch (effect) {
    case EFFECT_WAIT_LD: return OUTSTANDING_LD;
    case EFFECT_WAIT_ST: return OUTSTANDING_ST;
    case EFFECT_FENCE_BEFORE: return OUTSTANDING_ASYNC | OUTSTANDING_SINCE_FENCE_BEFORE;
    default: return 0;
    }
}

static int descending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

static struct plan_step step(const struct analysis *analysis, uint32_t instr, const char *part)
{
    return (struct plan_step){.at = analysis_instr(analysis, instr)->span.start, .part = part};
}

/* The operations before the site, the nearest in the text first; returns how many there are. */
static uint32_t add_operations(struct plan_step *steps, const struct analysis *analysis,
                               uint32_t site, uint32_t *count)
{
    struct outstanding outstanding;
    uint32_t found = 0, before = 0;
    unsigned ask = ordered_by(analysis_effect(analysis, site));
    if (!ask) return 0;
    outstanding_collect(&outstanding, analysis, site, ask);
    found = outstanding.ops.count;
    if (found) qsort(outstanding.ops.at, found, sizeof *outstanding.ops.at, descending);
    while (before < found && outstanding.ops.at[before] > site) before++; /* around a loop: last */
    if (before == found) before = 0;
    uint32_t named = found - before < NAMED ? found - before : NAMED;
    for (uint32_t i = 0; i < named; i++)
        steps[named - 1 - i] =
            step(analysis, outstanding.ops.at[before + i], "issued before, was to be ordered");
    *count = named;
    outstanding_free(&outstanding);
    return found - named;
}

static const char *part_of(const struct rule *rule, const struct analysis *analysis,
                           uint32_t witness)
{
    if (rule->looks_back) return rule->part ? rule->part : "has ordered it before";
    if (analysis_effect(analysis, witness) == EFFECT_EXIT)
        return "ends the thread, which publishes nothing";
    return rule->part ? rule->part : "orders it instead";
}

void steps_build(struct decision *decision, const struct analysis *analysis, struct arena *arena)
{
    struct plan_step *steps = arena_alloc(arena, NAMED + 2, sizeof *steps);
    uint32_t count = 0, witness = decision->verdict.witness;
    const struct rule *rule = decision->rule;
    decision->more_operations = add_operations(steps, analysis, decision->instr, &count);
    if (witness != NO_WITNESS && rule->looks_back)
        steps[count++] = step(analysis, witness, part_of(rule, analysis, witness));
    steps[count++] = step(analysis, decision->instr, "deleted");
    if (witness != NO_WITNESS && !rule->looks_back)
        steps[count++] = step(analysis, witness, part_of(rule, analysis, witness));
    decision->steps = steps;
    decision->step_count = count;
}
