/* The rule after-idle: a fence::after_thread_sync that has nothing to take over. The explanation
 * below is the contract of the rule. */
#include "rules/rule.h"

/* clang-format off */
static const struct cover_table since_fence = {
    .name = "after-idle",
    .backward = true,
    .on = {
        ON_ASYNC(STOP(REASON_ASYNC_OP)),
        ON_WAIT(STOP(REASON_WAIT)),
        [EFFECT_FENCE_BEFORE] = STOP(REASON_FENCE),
        [EFFECT_FENCE_AFTER] = COVER,
        [EFFECT_COMMIT] = STOP(REASON_COMMIT),
        ON_RELEASE(STOP(REASON_RELEASED)),
        ON_ACQUIRE(STOP(REASON_RECEIVED)),
        ON_BOTH(STOP(REASON_RECEIVED)),
        ON_MEET(REASON_RECEIVED),
        [EFFECT_ALLOC] = STOP(REASON_OBSERVER),
        [EFFECT_CALL] = STOP(REASON_CALL),
    },
};
/* clang-format on */

static void after_idle_decide(const struct analysis *analysis, const uint32_t *sites,
                              uint32_t count, struct verdict *verdicts)
{
    rule_scan(analysis, &since_fence, sites, count, verdicts);
}

const struct rule rule_after_idle = {
    .id = "after-idle",
    .deletes = "tcgen05.fence::after_thread_sync",
    .section = "9.7.16.6.3",
    .summary = "on every path nothing was received or released and no tcgen05 instruction ran "
               "since the last fence::after",
    .brief = "nothing to order",
    /* clang-format off */
    .explanation =
        "Before:  try_wait; fence::after_thread_sync; add; fence::after_thread_sync; mma\n"
        "After:   try_wait; fence::after_thread_sync; add; mma\n"
        "\n"
        "Sound because the fence makes later operations come \"after all the prior tcgen05 and the\n"
        "execution ordering operations\": if there is none of either since the last fence of this\n"
        "kind, or since the entry of the kernel, the last fence has ordered them already.\n"
        "\n"
        "Kept if there is on some path back to the last unguarded fence::after_thread_sync: an\n"
        "execution-ordering operation, since later operations must come after it (an mbarrier or\n"
        "barrier instruction, a load or store that is not weak, an atomic, a collective, a fence), a\n"
        "call, the entry of a .func, or any tcgen05 instruction.\n"
        "\n"
        "Assumes only sync-is-no-barrier, and only if an ldmatrix or stmatrix is on such a path.",
    /* clang-format on */
    .because = "no ordering operation and no tcgen05 instruction ran since [%s|the entry of the "
               "kernel]",
    .candidates = CANDIDATE(EFFECT_FENCE_AFTER),
    .decide = after_idle_decide,
    .asks = {&since_fence},
    .looks_back = true,
};
