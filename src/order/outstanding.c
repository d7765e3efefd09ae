/* Backward scans from waits. See outstanding.h. */
#include "order/outstanding.h"

#include "base/mem.h"

static enum step visit_hidden(const struct scan *scan, uint32_t i, unsigned *state,
                              struct verdict *verdict)
{
    (void)state;
    if (i == SCAN_ENTRY) return scan_entry(scan, verdict);
    enum effect effect = facts_effect(scan->facts, i);
    if (effect == EFFECT_CALL) return scan_stop(verdict, REASON_CALL, i);
    return effect == scan->about && facts_always(scan->facts, i) ? STEP_DONE : STEP_ON;
}

static enum step visit_own(const struct scan *scan, uint32_t i, unsigned *state,
                           struct verdict *verdict)
{
    (void)state;
    if (i == SCAN_ENTRY) return STEP_DONE;
    enum effect effect = facts_effect(scan->facts, i);
    if (effect == outstanding_issue(scan->about)) return scan_stop(verdict, REASON_ASYNC_OP, i);
    return effect == scan->about && facts_always(scan->facts, i) ? STEP_DONE : STEP_ON;
}

enum { COMMITTED = 1, WAITED = 2, STATES = 4 };

/* scan->about is the wait of the other kind. */
static enum step visit_meant(const struct scan *scan, uint32_t i, unsigned *state,
                             struct verdict *verdict)
{
    if (i == SCAN_ENTRY) return scan_entry(scan, verdict);
    enum effect effect = facts_effect(scan->facts, i);
    if (effect == EFFECT_CALL) return scan_stop(verdict, REASON_CALL, i);
    bool other = effect == outstanding_issue(scan->about) && !(*state & WAITED);
    if (other || (effect_is_pipe(effect) && !(*state & COMMITTED)))
        return scan_stop(verdict, REASON_NOT_WHAT_IT_WAITS_FOR, i);
    if (!facts_always(scan->facts, i)) return STEP_ON;
    if (effect == EFFECT_COMMIT) *state |= COMMITTED;
    if (effect == scan->about) *state |= WAITED;
    return *state == (COMMITTED | WAITED) ? STEP_DONE : STEP_ON;
}

/* Runs the scan; where it stops, and own (if given) did not, an open verdict becomes a decline. */
static void decline(const struct scan *scan, const uint32_t *sites, uint32_t count,
                    const struct scan_answer *own, struct verdict *verdicts)
{
    struct scan_answer *answers = mem_zalloc(count, sizeof *answers);
    scan_run(scan, sites, count, 0, answers);
    for (uint32_t k = 0; k < count; k++) {
        if (verdicts[k].reason != REASON_NONE || answers[k].found != SCAN_STOP) continue;
        if (own && own[k].found == SCAN_STOP) continue;
        verdicts[k].reason = answers[k].verdict.reason;
        verdicts[k].witness = answers[k].verdict.witness;
    }
    mem_free(answers);
}

static struct scan meant(const struct facts *facts, enum effect wait)
{
    enum effect other = wait == EFFECT_WAIT_LD ? EFFECT_WAIT_ST : EFFECT_WAIT_LD;
    return (struct scan){facts, true, STATES, visit_meant, other, false};
}

void outstanding_decline_hidden(const struct facts *facts, const uint32_t *sites, uint32_t count,
                                struct verdict *verdicts)
{
    struct scan scan = {facts, true, 1, visit_hidden, facts_effect(facts, sites[0]), false};
    decline(&scan, sites, count, NULL, verdicts);
}

void outstanding_decline_meant(const struct facts *facts, const uint32_t *sites, uint32_t count,
                               struct verdict *verdicts)
{
    struct scan scan = meant(facts, facts_effect(facts, sites[0]));
    decline(&scan, sites, count, NULL, verdicts);
}

void outstanding_decline_idle(const struct facts *facts, const uint32_t *sites, uint32_t count,
                              struct verdict *verdicts)
{
    enum effect wait = facts_effect(facts, sites[0]);
    struct scan own = {facts, true, 1, visit_own, wait, false}, scan = meant(facts, wait);
    struct scan_answer *answers = mem_zalloc(count, sizeof *answers);
    scan_run(&own, sites, count, 0, answers);
    decline(&scan, sites, count, answers, verdicts);
    mem_free(answers);
}
