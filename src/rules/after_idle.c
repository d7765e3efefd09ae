/* after-idle: a fence::after_thread_sync with nothing to take over. The explanation below is the
 * rule's contract. */
#include "rules/rule.h"

struct question {
    const struct facts *facts;
    struct verdict *verdict;
};

static enum step visit(void *context, uint32_t i, unsigned *state)
{
    (void)state;
    struct question *q = context;
    if (i == WALK_ENTRY) {
        if (q->facts->function->is_entry) return STEP_DONE;
        return rule_decline(q->verdict, REASON_FUNCTION_EDGE, NO_WITNESS);
    }
    enum effect effect = facts_effect(q->facts, i);
    if (effect_is_async(effect)) return rule_decline(q->verdict, REASON_ASYNC_OP, i);
    switch (effect) {
    case EFFECT_FENCE_AFTER:
        if (!facts_always(q->facts, i)) return STEP_ON;
        q->verdict->witness = i;
        return STEP_DONE;
    case EFFECT_ACQUIRE_BARRIER:
    case EFFECT_ACQUIRE_MEMORY:
    case EFFECT_BOTH_BARRIER:
    case EFFECT_BOTH_MEMORY:
        return rule_decline(q->verdict, REASON_RECEIVED, i);
    case EFFECT_RELEASE_BARRIER:
    case EFFECT_RELEASE_MEMORY:
        return rule_decline(q->verdict, REASON_RELEASED, i);
    case EFFECT_ALLOC:
        return rule_decline(q->verdict, REASON_OBSERVER, i);
    case EFFECT_CALL:
        return rule_decline(q->verdict, REASON_CALL, i);
    case EFFECT_WAIT_LD:
    case EFFECT_WAIT_ST:
        return rule_decline(q->verdict, REASON_WAIT, i);
    case EFFECT_FENCE_BEFORE:
        return rule_decline(q->verdict, REASON_FENCE, i);
    case EFFECT_COMMIT:
        return rule_decline(q->verdict, REASON_COMMIT, i);
    default:
        return STEP_ON;
    }
}

static void match(const struct facts *facts, uint32_t site, struct verdict *verdict)
{
    walk_backward(facts, site, 0, visit, &(struct question){facts, verdict});
}

const struct rule rule_after_idle = {
    .id = "after-idle",
    .deletes = "tcgen05.fence::after_thread_sync",
    .section = "9.7.16.6.3",
    .summary =
        "on every path nothing was received or released and no tcgen05 instruction ran since the last",
    .explanation =
        "Before:  try_wait; fence::after_thread_sync; add; fence::after_thread_sync; mma\n"
        "After:   try_wait; fence::after_thread_sync; add; mma\n"
        "\n"
        "Sound because the fence makes later operations come \"after all the prior tcgen05 and "
        "the\n"
        "execution ordering operations\": with none of either since the last fence of this kind, "
        "or\n"
        "since the entry of the kernel, that one has done so.\n"
        "\n"
        "Declined: any execution-ordering operation, since later operations come after it (an\n"
        "mbarrier or barrier instruction, a load or store that is not weak, an atomic, a\n"
        "collective, a fence), a call, the entry of a .func, or any tcgen05 instruction, on any\n"
        "path back to the last unguarded fence::after_thread_sync.\n"
        "\n"
        "Assumes nothing.",
    .because = "no ordering operation and no tcgen05 instruction ran since %s",
    .candidates = CANDIDATE(EFFECT_FENCE_AFTER),
    .match = match,
    .looks_back = true,
};
