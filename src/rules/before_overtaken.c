/* before-overtaken: a fence::before_thread_sync that the next one repeats in time. The explanation
 * below is the rule's contract. */
#include "rules/rule.h"

struct question {
    const struct facts *facts;
    struct verdict *verdict;
    bool overtaken;
};

static enum step visit(void *context, uint32_t i, unsigned *state)
{
    (void)state;
    struct question *q = context;
    enum effect effect = facts_effect(q->facts, i);
    if (effect_is_async(effect)) return rule_decline(q->verdict, REASON_ASYNC_OP, i);
    switch (effect) {
    case EFFECT_FENCE_BEFORE:
        if (!facts_always(q->facts, i)) return STEP_ON;
        if (!q->overtaken) q->verdict->witness = i;
        q->overtaken = true;
        return STEP_DONE;
    case EFFECT_RELEASE_BARRIER:
    case EFFECT_RELEASE_MEMORY:
    case EFFECT_BOTH_BARRIER:
    case EFFECT_BOTH_MEMORY:
        return rule_decline(q->verdict, REASON_RELEASE, i);
    case EFFECT_ACQUIRE_BARRIER:
    case EFFECT_ACQUIRE_MEMORY:
        return rule_decline(q->verdict, REASON_ACQUIRE, i);
    case EFFECT_COMMIT:
        return rule_decline(q->verdict, REASON_COMMIT, i);
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

const struct rule rule_before_overtaken = {
    .id = "before-overtaken",
    .deletes = "tcgen05.fence::before_thread_sync",
    .section = "9.7.16.6.3",
    .summary = "on every path another fence::before comes before anything that needs this one",
    .explanation =
        "Before:  mma; fence::before_thread_sync; add; fence::before_thread_sync; arrive\n"
        "After:   mma; add; fence::before_thread_sync; arrive\n"
        "\n"
        "Sound because the later fence orders all that the earlier one does, and more, before\n"
        "\"all subsequent tcgen05 and the execution ordering operations\"; between the two there "
        "is\n"
        "none that it could be ordered before.\n"
        "\n"
        "Declined when on some path there comes first: an asynchronous tcgen05 operation, an\n"
        "execution-ordering operation (a release, an acquire, a barrier), a commit, tensor-memory\n"
        "allocation, a call or the end of the thread.\n"
        "\n"
        "Assumes nothing.",
    .because = "%s orders the same and more before anything can publish it",
    .candidates = CANDIDATE(EFFECT_FENCE_BEFORE),
    .match = match,
};
