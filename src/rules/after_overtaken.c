/* after-overtaken: a fence::after_thread_sync that the next one repeats in time. The explanation
 * below is the rule's contract. */
#include "rules/rule.h"

struct question {
    const struct facts *facts;
    struct verdict *verdict;
    bool overtaken;
};

static enum step at_fence_before(const struct question *q, uint32_t i)
{
    if (!(q->facts->assumptions & ASSUME_NOT_CUMULATIVE))
        return rule_decline(q->verdict, REASON_FENCE, i);
    q->verdict->assumptions |= ASSUME_NOT_CUMULATIVE;
    return STEP_ON;
}

static enum step visit(void *context, uint32_t i, unsigned *state)
{
    (void)state;
    struct question *q = context;
    enum effect effect = facts_effect(q->facts, i);
    if (effect_is_async(effect)) return rule_decline(q->verdict, REASON_ASYNC_OP, i);
    switch (effect) {
    case EFFECT_FENCE_AFTER:
        if (!facts_always(q->facts, i)) return STEP_ON;
        if (!q->overtaken) q->verdict->witness = i;
        q->overtaken = true;
        return STEP_DONE;
    case EFFECT_FENCE_BEFORE:
        return at_fence_before(q, i);
    case EFFECT_COMMIT:
        return rule_decline(q->verdict, REASON_COMMIT, i);
    case EFFECT_WAIT_LD:
    case EFFECT_WAIT_ST:
        return rule_decline(q->verdict, REASON_WAIT, i);
    case EFFECT_ALLOC:
        return rule_decline(q->verdict, REASON_OBSERVER, i);
    case EFFECT_CALL:
        return rule_decline(q->verdict, REASON_CALL, i);
    case EFFECT_EXIT:
        if (!(q->facts->assumptions & ASSUME_EXIT_SILENT) || !q->facts->function->is_entry)
            return rule_decline(q->verdict, REASON_EXIT, i);
        q->verdict->assumptions |= ASSUME_EXIT_SILENT;
        if (!q->overtaken) q->verdict->witness = i;
        q->overtaken = true;
        return STEP_ON;
    default:
        return STEP_ON;
    }
}

static void match(const struct facts *facts, uint32_t site, struct verdict *verdict)
{
    struct question question = {facts, verdict, false};
    if (walk_forward(facts, site, 0, visit, &question) && !question.overtaken)
        rule_decline(verdict, REASON_NO_COVER, NO_WITNESS);
}

const struct rule rule_after_overtaken = {
    .id = "after-overtaken",
    .deletes = "tcgen05.fence::after_thread_sync",
    .section = "9.7.16.6.3",
    .summary = "on every path another fence::after comes before anything that needs this one",
    .explanation =
        "Before:  try_wait [a]; fence::after_thread_sync; try_wait [b]; fence::after_thread_sync; "
        "mma\n"
        "After:   try_wait [a]; try_wait [b]; fence::after_thread_sync; mma\n"
        "\n"
        "Sound because the later fence orders every later operation after \"all the prior tcgen05\n"
        "and the execution ordering operations\", those before the earlier fence included, and\n"
        "between the two no operation is issued that the earlier one could hold back.\n"
        "\n"
        "Declined when on some path there comes first: an asynchronous tcgen05 operation, a\n"
        "fence::before_thread_sync or commit (they pass on what the fence has taken over), a "
        "wait,\n"
        "tensor-memory allocation, a call or the end of the thread.\n"
        "\n"
        "Assumes nothing by default. With not-cumulative a fence::before_thread_sync passes\n"
        "nothing on.",
    .because = "%s orders the same and more before any operation is issued",
    .candidates = CANDIDATE(EFFECT_FENCE_AFTER),
    .match = match,
};
