/* Backward scans from fences. See tracked.h. */
#include "order/tracked.h"

static bool ends(const struct scan *scan, uint32_t i)
{
    enum effect effect = facts_effect(scan->facts, i);
    return effect == EFFECT_FENCE_BEFORE && facts_always(scan->facts, i);
}

static enum step visit_hidden(const struct scan *scan, uint32_t i, unsigned *state,
                              struct verdict *verdict)
{
    (void)state;
    if (i == SCAN_ENTRY) return scan_entry(scan, verdict);
    if (facts_effect(scan->facts, i) == EFFECT_CALL) return scan_stop(verdict, REASON_CALL, i);
    return ends(scan, i) ? STEP_DONE : STEP_ON;
}

static enum step visit_others(const struct scan *scan, uint32_t i, unsigned *state,
                              struct verdict *verdict)
{
    (void)state;
    if (i == SCAN_ENTRY) return STEP_DONE;
    switch (facts_effect(scan->facts, i)) {
    case EFFECT_ASYNC_LD:
    case EFFECT_ASYNC_ST:
    case EFFECT_WAIT_LD:
    case EFFECT_WAIT_ST: return scan_stop(verdict, REASON_UNTRACKED, i);
    default: return ends(scan, i) ? STEP_DONE : STEP_ON;
    }
}

enum { LD_WAITED = 1, ST_WAITED = 2, STATES = 4 };

static enum step visit_in_flight(const struct scan *scan, uint32_t i, unsigned *state,
                                 struct verdict *verdict)
{
    if (i == SCAN_ENTRY) return STEP_DONE;
    enum effect effect = facts_effect(scan->facts, i);
    if ((effect == EFFECT_ASYNC_LD && !(*state & LD_WAITED)) ||
        (effect == EFFECT_ASYNC_ST && !(*state & ST_WAITED)))
        return scan_stop(verdict, REASON_UNTRACKED, i);
    if (!facts_always(scan->facts, i)) return STEP_ON;
    if (effect_is_fence(effect)) return STEP_DONE;
    if (effect == EFFECT_WAIT_LD) *state |= LD_WAITED;
    if (effect == EFFECT_WAIT_ST) *state |= ST_WAITED;
    return *state == (LD_WAITED | ST_WAITED) ? STEP_DONE : STEP_ON;
}

static enum step visit_relayed(const struct scan *scan, uint32_t i, unsigned *state,
                               struct verdict *verdict)
{
    (void)state;
    if (i == SCAN_ENTRY) return scan_entry(scan, verdict);
    enum effect effect = facts_effect(scan->facts, i);
    if (effect == EFFECT_CALL || effect == EFFECT_FENCE_AFTER)
        return scan_stop(verdict, REASON_RECEIVED, i);
    bool carried = effect_is_pipe(effect) && facts_always(scan->facts, i);
    return carried || ends(scan, i) ? STEP_DONE : STEP_ON;
}

static enum step visit_any(const struct scan *scan, uint32_t i, unsigned *state,
                           struct verdict *verdict)
{
    (void)state;
    if (i == SCAN_ENTRY) return STEP_DONE;
    if (effect_is_pipe(facts_effect(scan->facts, i))) return scan_stop(verdict, REASON_ASYNC_OP, i);
    return ends(scan, i) ? STEP_DONE : STEP_ON;
}

void tracked_scan(const struct facts *facts, enum tracked_question question, const uint32_t *sites,
                  uint32_t count, struct scan_answer *answers)
{
    struct scan scan = {facts, true, 1, NULL, EFFECT_FENCE_BEFORE, false};
    switch (question) {
    case TRACKED_HIDDEN: scan.visit = visit_hidden; break;
    case TRACKED_OTHERS: scan.visit = visit_others; break;
    case TRACKED_OTHERS_IN_FLIGHT: scan.visit = visit_in_flight, scan.states = STATES; break;
    case TRACKED_RELAYED: scan.visit = visit_relayed; break;
    case TRACKED_ANY: scan.visit = visit_any; break;
    }
    scan_run(&scan, sites, count, 0, answers);
}
