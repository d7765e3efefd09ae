/* pair-completion: advice on a commit and wait that only separate a pipelined pair. The explanation
 * below is the rule's contract. */
#include "base/mem.h"
#include "order/window.h"
#include "rules/rule.h"

enum { WAITED = 1, STATES = 2 };

static enum step visit(const struct scan *scan, uint32_t i, unsigned *state,
                       struct verdict *verdict)
{
    enum effect effect = facts_effect(scan->facts, i);
    if (effect_is_async(effect))
        return *state & WAITED ? scan_done(verdict, i) : scan_stop(verdict, REASON_NO_COVER, i);
    if (effect_is_acquire(effect)) *state |= WAITED;
    if (effect_is_acquire(effect) || effect == EFFECT_FENCE_AFTER) return STEP_ON;
    return scan_stop(verdict, REASON_RELEASE, i);
}

static void decide(const struct facts *facts, const uint32_t *sites, uint32_t count,
                   struct verdict *verdicts)
{
    struct scan scan = {facts, false, STATES, visit, EFFECT_COMMIT, false};
    struct window_answer *windows = mem_zalloc(count, sizeof *windows);
    rule_scan(&scan, sites, count, 0, verdicts);
    window_run(facts, sites, count, true, windows);
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
    .explanation = "Seen:    mma [d]; commit [a]; try_wait [a]; fence::after_thread_sync; mma [d]\n"
                   "\n"
                   "The two mma execute in order without the round trip. But the wait may also "
                   "guard the reuse\n"
                   "of shared memory, or keep the phases of the mbarrier apart: this is advice, "
                   "never an edit.",
    .because = "the wait behind it only separates a pipelined pair that ends at %s",
    .candidates = CANDIDATE(EFFECT_COMMIT),
    .decide = decide,
};
