/* The rule pair-completion: advice about a commit and a wait that only separate a pipelined pair.
 * The explanation below is the contract of the rule. */
#include "base/mem.h"
#include "order/window.h"
#include "rules/rule.h"

enum { WAITED = 1, STATES = 2 };

/* After a wait, the next operation completes the pair. */
static const struct cover_entry *pair_completion_look(const struct scan *scan, uint32_t i,
                                                      const struct cover_entry *own,
                                                      unsigned *state)
{
    static const struct cover_entry done = DONE;
    enum effect effect = analysis_effect(scan->analysis, i);
    if (effect_is_acquire(effect)) *state |= WAITED;
    return effect_is_async(effect) && *state & WAITED ? &done : own;
}

/* clang-format off */
static const struct cover_table until_pair = {
    .name = "pair-completion",
    .states = STATES,
    .on = {
        ON_ASYNC(STOP(REASON_NO_COVER)),
        ON_WAIT(STOP(REASON_RELEASE)),
        [EFFECT_FENCE_BEFORE] = STOP(REASON_RELEASE),
        [EFFECT_COMMIT] = STOP(REASON_RELEASE),
        ON_RELEASE(STOP(REASON_RELEASE)),
        ON_BOTH(STOP(REASON_RELEASE)),
        ON_MEET(REASON_RELEASE),
        [EFFECT_ALLOC] = STOP(REASON_RELEASE),
        [EFFECT_CALL] = STOP(REASON_RELEASE),
        [EFFECT_EXIT] = STOP(REASON_RELEASE),
        [EDGE] = STOP(REASON_RELEASE),
    },
    .look = pair_completion_look,
};
/* clang-format on */

static void pair_completion_decide(const struct analysis *analysis, const uint32_t *sites,
                                   uint32_t count, struct verdict *verdicts)
{
    struct window_answer *windows = mem_zalloc(count, sizeof *windows);
    rule_scan(analysis, &until_pair, sites, count, verdicts);
    window_run(analysis, sites, count, true, verdicts, windows);
    for (uint32_t k = 0; k < count; k++)
        if (!windows[k].has_before || !windows[k].pipelined)
            rule_decline(&verdicts[k], REASON_NOT_PIPELINED, verdicts[k].witness);
    mem_free(windows);
}

const struct rule rule_pair_completion = {
    .id = "pair-completion",
    .deletes = "tcgen05.commit",
    .section = "9.7.16.6.2",
    .summary = "a commit and its wait only separate a pipelined pair",
    .brief = "this commit and its wait only order a pipelined pair",
    /* clang-format off */
    .explanation =
        "Seen:    mma [d]; commit [a]; try_wait [a]; fence::after_thread_sync; mma [d]\n"
        "\n"
        "The two mma execute in order without the commit and the wait. But the wait may also guard\n"
        "the reuse of shared memory, or keep the phases of the mbarrier apart: this is advice, never\n"
        "an edit.",
    /* clang-format on */
    .because = "this commit and the wait for it only separate a pipelined pair, whose second "
               "operation is %s",
    .candidates = CANDIDATE(EFFECT_COMMIT),
    .decide = pair_completion_decide,
    .asks = {&until_pair},
};
