/* after-overtaken: a fence::after_thread_sync that the next one repeats in time. The explanation
 * below is the rule's contract. */
#include "base/mem.h"
#include "rules/rule.h"

static enum step visit(const struct scan *scan, uint32_t i, unsigned *state,
                       struct verdict *verdict)
{
    (void)state;
    enum effect effect = facts_effect(scan->facts, i);
    if (effect_is_async(effect)) return scan_stop(verdict, REASON_ASYNC_OP, i);
    switch (effect) {
    case EFFECT_FENCE_AFTER: return facts_always(scan->facts, i) ? scan_done(verdict, i) : STEP_ON;
    case EFFECT_FENCE_BEFORE:
        if (!(scan->facts->assumptions & ASSUME_NOT_CUMULATIVE))
            return scan_stop(verdict, REASON_FENCE, i);
        verdict->assumptions |= ASSUME_NOT_CUMULATIVE;
        return STEP_ON;
    case EFFECT_COMMIT: return scan_stop(verdict, REASON_COMMIT, i);
    case EFFECT_WAIT_LD:
    case EFFECT_WAIT_ST: return scan_stop(verdict, REASON_WAIT, i);
    case EFFECT_ALLOC: return scan_stop(verdict, REASON_OBSERVER, i);
    case EFFECT_CALL: return scan_stop(verdict, REASON_CALL, i);
    case EFFECT_EXIT: return rule_exit(scan, i, verdict);
    default: return STEP_ON;
    }
}

static enum step visit_own(const struct scan *scan, uint32_t i, unsigned *state,
                           struct verdict *verdict)
{
    (void)state;
    if (i == SCAN_ENTRY) return STEP_DONE;
    enum effect effect = facts_effect(scan->facts, i);
    if (effect_is_own_order(effect)) return scan_stop(verdict, REASON_RELEASED, i);
    return effect == EFFECT_FENCE_AFTER && facts_always(scan->facts, i) ? STEP_DONE : STEP_ON;
}

/* A fence::before forwards the thread's own even when it forwards nothing else. */
static void decline_own(const struct facts *facts, const uint32_t *sites, uint32_t count,
                        struct verdict *verdicts)
{
    struct scan scan = {facts, true, 1, visit_own, EFFECT_FENCE_AFTER, false};
    struct verdict *own = mem_zalloc(count, sizeof *own);
    rule_scan(&scan, sites, count, 0, own);
    for (uint32_t k = 0; k < count; k++)
        if (verdicts[k].assumptions & ASSUME_NOT_CUMULATIVE && own[k].reason == REASON_RELEASED)
            verdicts[k] = own[k];
    mem_free(own);
}

static void decide(const struct facts *facts, const uint32_t *sites, uint32_t count,
                   struct verdict *verdicts)
{
    struct scan scan = {facts, false, 1, visit, EFFECT_FENCE_AFTER, false};
    rule_scan(&scan, sites, count, 0, verdicts);
    if (facts->assumptions & ASSUME_NOT_CUMULATIVE) decline_own(facts, sites, count, verdicts);
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
    .decide = decide,
    .part = "orders it instead",
};
