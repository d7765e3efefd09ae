/* after-idle: a fence::after_thread_sync with nothing to take over. The explanation below is the
 * rule's contract. */
#include "rules/rule.h"

static enum step visit(const struct scan *scan, uint32_t i, unsigned *state,
                       struct verdict *verdict)
{
    (void)state;
    if (i == SCAN_ENTRY) return scan_entry(scan, verdict);
    enum effect effect = facts_effect(scan->facts, i);
    if (effect_is_async(effect)) return scan_stop(verdict, REASON_ASYNC_OP, i);
    if (effect_is_acquire(effect) || effect_is_both(effect))
        return scan_stop(verdict, REASON_RECEIVED, i);
    if (effect_is_release(effect)) return scan_stop(verdict, REASON_RELEASED, i);
    switch (effect) {
    case EFFECT_FENCE_AFTER: return facts_always(scan->facts, i) ? scan_done(verdict, i) : STEP_ON;
    case EFFECT_ALLOC: return scan_stop(verdict, REASON_OBSERVER, i);
    case EFFECT_CALL: return scan_stop(verdict, REASON_CALL, i);
    case EFFECT_WAIT_LD:
    case EFFECT_WAIT_ST: return scan_stop(verdict, REASON_WAIT, i);
    case EFFECT_FENCE_BEFORE: return scan_stop(verdict, REASON_FENCE, i);
    case EFFECT_COMMIT: return scan_stop(verdict, REASON_COMMIT, i);
    default: return STEP_ON;
    }
}

static void decide(const struct facts *facts, const uint32_t *sites, uint32_t count,
                   struct verdict *verdicts)
{
    struct scan scan = {facts, true, 1, visit, EFFECT_FENCE_AFTER, false};
    rule_scan(&scan, sites, count, 0, verdicts);
}

const struct rule rule_after_idle = {
    .id = "after-idle",
    .deletes = "tcgen05.fence::after_thread_sync",
    .section = "9.7.16.6.3",
    .summary = "on every path nothing was received or released and no tcgen05 instruction ran "
               "since the last",
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
    .decide = decide,
    .looks_back = true,
    .part = "has ordered it before",
};
