/* wait-covered: a wait whose work a later wait of the same kind does in time. The explanation
 * below is the rule's contract. */
#include "order/outstanding.h"
#include "order/registers.h"
#include "rules/rule.h"

static enum step at_async(const struct scan *scan, uint32_t i, struct verdict *verdict)
{
    bool read_read =
        scan->about == EFFECT_WAIT_LD && facts_effect(scan->facts, i) == EFFECT_ASYNC_LD;
    if (!read_read) return scan_stop(verdict, REASON_ASYNC_OP, i);
    verdict->assumptions |= ASSUME_READS_COMMUTE;
    if (scan->facts->assumptions & ASSUME_READS_COMMUTE) return STEP_ON;
    return scan_stop(verdict, REASON_ASSUMPTION, i);
}

static enum step visit(const struct scan *scan, uint32_t i, unsigned *state,
                       struct verdict *verdict)
{
    (void)state;
    enum effect effect = facts_effect(scan->facts, i);
    if (effect == scan->about && facts_always(scan->facts, i)) return scan_done(verdict, i);
    if (effect_is_async(effect)) return at_async(scan, i, verdict);
    if (effect_is_acquire(effect)) return scan_stop(verdict, REASON_ACQUIRE, i);
    if (effect_is_release(effect) || effect_is_both(effect))
        return scan_stop(verdict, REASON_RELEASE, i);
    switch (effect) {
    case EFFECT_COMMIT: return scan_stop(verdict, REASON_COMMIT, i);
    case EFFECT_FENCE_BEFORE:
    case EFFECT_FENCE_AFTER: return scan_stop(verdict, REASON_FENCE, i);
    case EFFECT_ALLOC: return scan_stop(verdict, REASON_OBSERVER, i);
    case EFFECT_CALL: return scan_stop(verdict, REASON_CALL, i);
    case EFFECT_EXIT: return scan_stop(verdict, REASON_EXIT, i);
    default: return STEP_ON;
    }
}

static void decide(const struct facts *facts, const uint32_t *sites, uint32_t count,
                   struct verdict *verdicts)
{
    enum effect wait = facts_effect(facts, sites[0]);
    struct scan scan = {facts, false, 1, visit, wait, false};
    if (!rule_assumes(facts, ASSUME_SYNC_IS_NO_BARRIER, count, verdicts)) return;
    rule_scan(&scan, sites, count, 0, verdicts);
    outstanding_decline_hidden(facts, sites, count, verdicts);
    registers_decline(facts, sites, count, verdicts);
    outstanding_decline_idle(facts, sites, count, verdicts);
}

const struct rule rule_wait_covered = {
    .id = "wait-covered",
    .deletes = "tcgen05.wait::ld, tcgen05.wait::st",
    .section = "9.7.16.6.2.1.2",
    .summary = "on every path another wait of that kind comes before anything that needs this one",
    .explanation =
        "Before:  tcgen05.ld {a}; tcgen05.wait::ld; use a; tcgen05.ld {b}; tcgen05.wait::ld; use "
        "b\n"
        "After:   tcgen05.ld {a}; use a; tcgen05.ld {b}; tcgen05.wait::ld; use b\n"
        "\n"
        "Sound because \"intra-thread ordering through true register dependency will be respected\n"
        "regardless of the presence or absence of other forms of synchronization\", and the later\n"
        "wait completes the same loads before anybody can tell the difference.\n"
        "\n"
        "Declined when on some path there comes first: tcgen05.st, mma, cp or shift (for wait::st\n"
        "also ld); a commit, a fence, an execution-ordering operation (also one that only\n"
        "acquires: the wait blocks what comes after it), tensor-memory allocation, a call, the\n"
        "end of the thread; or a write to a register of an operation that is still in flight, "
        "also\n"
        "by the same load in the next turn of a loop.\n"
        "\n"
        "Assumes sync-is-no-barrier; register-dependency when a loaded register is read before "
        "the\n"
        "covering wait; reads-commute when another tcgen05.ld is issued before it.",
    .because = "%s waits for the same operations before anything needs them complete",
    .candidates = CANDIDATE_WAIT,
    .decide = decide,
    .part = "orders it instead",
};
