/* before-overtaken: a fence::before_thread_sync that the next one repeats in time. The explanation
 * below is the rule's contract. */
#include "rules/rule.h"

static enum step visit(const struct scan *scan, uint32_t i, unsigned *state,
                       struct verdict *verdict)
{
    (void)state;
    enum effect effect = facts_effect(scan->facts, i);
    if (effect_is_async(effect)) return scan_stop(verdict, REASON_ASYNC_OP, i);
    if (effect_is_acquire(effect)) return scan_stop(verdict, REASON_ACQUIRE, i);
    if (effect_is_release(effect) || effect_is_both(effect))
        return scan_stop(verdict, REASON_RELEASE, i);
    switch (effect) {
    case EFFECT_FENCE_BEFORE: return facts_always(scan->facts, i) ? scan_done(verdict, i) : STEP_ON;
    case EFFECT_COMMIT: return scan_stop(verdict, REASON_COMMIT, i);
    case EFFECT_ALLOC: return scan_stop(verdict, REASON_OBSERVER, i);
    case EFFECT_CALL: return scan_stop(verdict, REASON_CALL, i);
    case EFFECT_EXIT: return rule_exit(scan, i, verdict);
    default: return STEP_ON;
    }
}

static void decide(const struct facts *facts, const uint32_t *sites, uint32_t count,
                   struct verdict *verdicts)
{
    struct scan scan = {facts, false, 1, visit, EFFECT_FENCE_BEFORE, false};
    rule_scan(&scan, sites, count, 0, verdicts);
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
    .decide = decide,
    .part = "orders it instead",
};
