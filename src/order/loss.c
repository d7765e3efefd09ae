/* Does anybody miss this fence? See loss.h; the cases are the observers of the ordering model under
 * the literal reading of G4 and G5. */
#include "order/loss.h"

/* The commit's own arrival sees all that is issued; what follows sees its implicit fence. */
static enum step at_commit(const struct scan *scan, uint32_t i, unsigned *lost,
                           struct verdict *verdict)
{
    if (!(*lost & (LOST_PUBLISH | LOST_ISSUE))) return STEP_ON;
    if (!scan->flag) return scan_stop(verdict, REASON_UNTRACKED, i);
    if (!(*lost & LOST_PUBLISH) || !facts_always(scan->facts, i)) return STEP_ON;
    verdict->assumptions |= ASSUME_COMMIT_FENCES;
    if (!(scan->facts->assumptions & ASSUME_COMMIT_FENCES))
        return scan_stop(verdict, REASON_ASSUMPTION, i);
    *lost = (*lost & ~(unsigned)LOST_PUBLISH) | LOST_BEYOND_COMMIT;
    return STEP_ON;
}

/* No async operation of the thread follows its end, but a .func returns to its caller. */
static enum step at_exit(const struct scan *scan, uint32_t i, unsigned lost,
                         struct verdict *verdict)
{
    if (!scan->facts->function->is_entry) return scan_stop(verdict, REASON_FUNCTION_EDGE, i);
    if (!(lost & LOST_PUBLISH)) return STEP_ON;
    if (!(scan->facts->assumptions & ASSUME_EXIT_SILENT)) return scan_stop(verdict, REASON_EXIT, i);
    verdict->assumptions |= ASSUME_EXIT_SILENT;
    return STEP_ON;
}

/* Ordering operations: acquires are no less behind a fence::before than releases are (G4). */
static enum step at_ordering(enum effect effect, uint32_t i, unsigned lost, struct verdict *verdict)
{
    if (lost & LOST_PUBLISH)
        return scan_stop(verdict, effect_is_acquire(effect) ? REASON_ACQUIRE : REASON_RELEASE, i);
    if (lost & LOST_BEYOND_COMMIT && effect_is_beyond_commit(effect))
        return scan_stop(verdict, REASON_BEYOND_COMMIT, i);
    return STEP_ON;
}

static enum step visit(const struct scan *scan, uint32_t i, unsigned *lost, struct verdict *verdict)
{
    enum effect effect = facts_effect(scan->facts, i);
    bool always = facts_always(scan->facts, i);
    if (effect_is_release(effect) || effect_is_acquire(effect) || effect_is_both(effect))
        return at_ordering(effect, i, *lost, verdict);
    switch (effect) {
    case EFFECT_FENCE_BEFORE: return always ? STEP_DONE : STEP_ON;
    case EFFECT_FENCE_AFTER:
        if (always) *lost &= ~(unsigned)LOST_ISSUE;
        return *lost ? STEP_ON : STEP_DONE;
    case EFFECT_COMMIT: return at_commit(scan, i, lost, verdict);
    /* Synchronous tcgen05 instructions are inherently ordered with the others (9.7.16.6.1). */
    case EFFECT_ALLOC:
        return *lost & LOST_PUBLISH ? scan_stop(verdict, REASON_OBSERVER, i) : STEP_ON;
    case EFFECT_CALL: return scan_stop(verdict, REASON_CALL, i);
    case EFFECT_EXIT: return at_exit(scan, i, *lost, verdict);
    default: return STEP_ON;
    }
}

void loss_scan(const struct facts *facts, const uint32_t *at, uint32_t count, unsigned lost,
               bool commit_stands_in, struct scan_answer *answers)
{
    struct scan scan = {facts, false, SCAN_STATES, visit, EFFECT_FENCE_BEFORE, commit_stands_in};
    scan_run(&scan, at, count, lost, answers);
}
