/* The rule before-overtaken: a fence::before_thread_sync whose effect a later one has as well. The
 * explanation below is the contract of the rule. */
#include "rules/rule.h"

/* clang-format off */
static const struct cover_table until_fence = {
    .name = "before-overtaken",
    .on = {
        ON_ASYNC(STOP(REASON_ASYNC_OP)),
        [EFFECT_FENCE_BEFORE] = COVER,
        [EFFECT_COMMIT] = STOP(REASON_COMMIT),
        ON_RELEASE(STOP(REASON_RELEASE)),
        ON_ACQUIRE(STOP(REASON_ACQUIRE)),
        ON_BOTH(STOP(REASON_RELEASE)),
        ON_MEET(REASON_RELEASE),
        [EFFECT_ALLOC] = STOP(REASON_OBSERVER),
        [EFFECT_CALL] = STOP(REASON_CALL),
        [EFFECT_EXIT] = COVER_GIVEN(ASSUME_EXIT_SILENT, REASON_EXIT),
        [EDGE] = STOP(REASON_EXIT),
    },
};
/* clang-format on */

static void before_overtaken_decide(const struct analysis *analysis, const uint32_t *sites,
                                    uint32_t count, struct verdict *verdicts)
{
    rule_scan(analysis, &until_fence, sites, count, verdicts);
}

const struct rule rule_before_overtaken = {
    .id = "before-overtaken",
    .deletes = "tcgen05.fence::before_thread_sync",
    .section = "9.7.16.6.3",
    .summary = "on every path another fence::before comes before anything that needs this one",
    .brief = "a later fence::before covers it",
    /* clang-format off */
    .explanation =
        "Before:  mma; fence::before_thread_sync; add; fence::before_thread_sync; arrive\n"
        "After:   mma; add; fence::before_thread_sync; arrive\n"
        "\n"
        "Sound because the later fence orders all that the earlier one does, and more, before \"all\n"
        "subsequent tcgen05 and the execution ordering operations\"; there is no such operation\n"
        "between the two.\n"
        "\n"
        "Kept if on some path one of these comes before the later fence: an asynchronous tcgen05\n"
        "operation, an execution-ordering operation (a release, an acquire, a barrier), a commit,\n"
        "tensor-memory allocation, a call or the end of the thread.\n"
        "\n"
        "Assumes only sync-is-no-barrier, and only if an ldmatrix or stmatrix is on such a path.",
    /* clang-format on */
    .because = "%s orders the same[ before %n], and no instruction in between needs "
               "that order",
    .candidates = CANDIDATE(EFFECT_FENCE_BEFORE),
    .decide = before_overtaken_decide,
    .asks = {&until_fence},
};
