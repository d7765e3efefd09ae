/* The rule after-overtaken: a fence::after_thread_sync whose effect a later one has as well. The
 * explanation below is the contract of the rule. */
#include "base/mem.h"
#include "rules/rule.h"

/* clang-format off */
static const struct cover_table until_fence = {
    .name = "after-overtaken",
    .on = {
        ON_ASYNC(STOP(REASON_ASYNC_OP)),
        ON_WAIT(STOP(REASON_WAIT)),
        [EFFECT_FENCE_BEFORE] = PASS_GIVEN(ASSUME_NOT_CUMULATIVE, REASON_FENCE),
        [EFFECT_FENCE_AFTER] = COVER,
        [EFFECT_COMMIT] = STOP(REASON_COMMIT),
        [EFFECT_ALLOC] = STOP(REASON_OBSERVER),
        [EFFECT_CALL] = STOP(REASON_CALL),
        [EFFECT_EXIT] = COVER,
        [EDGE] = STOP(REASON_EXIT),
    },
};

static const struct cover_table own = {
    .name = "after-overtaken, own",
    .backward = true,
    .on = {
        [EFFECT_FENCE_AFTER] = COVER,
        [EFFECT_COMMIT] = STOP(REASON_RELEASED),
        ON_RELEASE(STOP(REASON_RELEASED)),
        ON_BOTH(STOP(REASON_RELEASED)),
        ON_MEET(REASON_RELEASED),
        [EFFECT_ALLOC] = STOP(REASON_RELEASED),
        [EDGE] = DONE,
    },
};
/* clang-format on */

/* A fence::before passes on the thread's own operations even if it passes on nothing else. */
static void decline_own(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                        struct verdict *verdicts)
{
    struct verdict *said = mem_zalloc(count, sizeof *said);
    rule_scan(analysis, &own, sites, count, said);
    for (uint32_t k = 0; k < count; k++) {
        if (!(verdicts[k].assumptions & ASSUME_NOT_CUMULATIVE)) continue;
        if (said[k].reason == REASON_RELEASED)
            rule_decline(&verdicts[k], said[k].reason, said[k].witness);
        else
            verdicts[k].assumptions |= said[k].assumptions;
    }
    mem_free(said);
}

static void after_overtaken_decide(const struct analysis *analysis, const uint32_t *sites,
                                   uint32_t count, struct verdict *verdicts)
{
    rule_scan(analysis, &until_fence, sites, count, verdicts);
    if (analysis->assumptions & ASSUME_NOT_CUMULATIVE)
        decline_own(analysis, sites, count, verdicts);
}

const struct rule rule_after_overtaken = {
    .id = "after-overtaken",
    .deletes = "tcgen05.fence::after_thread_sync",
    .section = "9.7.16.6.3",
    .summary =
        "on every path a later fence::after, or the end, comes before anything that needs this one",
    .brief = "a later fence::after covers it",
    /* clang-format off */
    .explanation =
        "Before:  try_wait [a]; fence::after_thread_sync; try_wait [b]; fence::after_thread_sync; mma\n"
        "After:   try_wait [a]; try_wait [b]; fence::after_thread_sync; mma\n"
        "\n"
        "Sound because the later fence orders every later operation after \"all the prior tcgen05 and\n"
        "the execution ordering operations\", those before the earlier fence included, and between\n"
        "the two no operation is issued that the earlier one could hold back. After the end of a\n"
        "kernel's thread no operation is issued, so a fence before the end is redundant.\n"
        "\n"
        "Kept if on some path one of these comes before the later fence: an asynchronous tcgen05\n"
        "operation, a fence::before_thread_sync or commit (they pass on what this fence has\n"
        "taken over), a wait::ld or wait::st, tensor-memory allocation, a call or the return of a .func.\n"
        "\n"
        "Assumes nothing by default. With not-cumulative a fence::before_thread_sync passes on\n"
        "nothing that this fence has taken over; then, by sync-is-no-barrier, an ldmatrix or\n"
        "stmatrix between the two is no release.",
    /* clang-format on */
    .because = "%s orders the same[ before %n], and no tcgen05 operation is issued in between",
    .candidates = CANDIDATE(EFFECT_FENCE_AFTER),
    .decide = after_overtaken_decide,
    .asks = {&until_fence, &own},
};
