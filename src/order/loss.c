/* Does anybody miss this fence? See loss.h; the cases are the observers of tcgen05-model section 3
 * under the literal reading of G4 and G5. */
#include "order/loss.h"

static enum step stop(struct loss *loss, enum reason reason, uint32_t witness)
{
    loss->verdict.reason = reason;
    loss->verdict.witness = witness;
    return STEP_STOP;
}

static enum step at_async(struct loss *loss, uint32_t i, unsigned lost)
{
    loss->met_async = true;
    if (!(lost & LOST_ISSUE)) return STEP_ON;
    for (uint32_t n = 0; n < loss->unordered->ops.count; n++)
        if (!pair_is_pipelined(loss->facts, loss->unordered->ops.at[n], i, &loss->regs))
            return stop(loss, REASON_NOT_PIPELINED, i);
    return STEP_ON;
}

/* The commit's own arrival sees all that is issued; what follows sees its implicit fence. */
static enum step at_commit(struct loss *loss, uint32_t i, unsigned *lost)
{
    if (loss->untracked != NO_WITNESS) return stop(loss, REASON_UNTRACKED, loss->untracked);
    if (!(*lost & LOST_PUBLISH) || !facts_always(loss->facts, i)) return STEP_ON;
    if (!(loss->facts->assumptions & ASSUME_COMMIT_FENCES)) {
        loss->verdict.assumptions = ASSUME_COMMIT_FENCES;
        return stop(loss, REASON_ASSUMPTION, i);
    }
    loss->verdict.assumptions |= ASSUME_COMMIT_FENCES;
    *lost &= ~(unsigned)LOST_PUBLISH;
    return *lost ? STEP_ON : STEP_DONE;
}

/* No async operation of the thread follows its end, but a .func returns to its caller. */
static enum step at_exit(struct loss *loss, uint32_t i, unsigned lost)
{
    if (!loss->facts->function->is_entry) return stop(loss, REASON_FUNCTION_EDGE, i);
    if (!(lost & LOST_PUBLISH)) return STEP_ON;
    if (!(loss->facts->assumptions & ASSUME_EXIT_SILENT)) return stop(loss, REASON_EXIT, i);
    loss->verdict.assumptions |= ASSUME_EXIT_SILENT;
    return STEP_ON;
}

static enum step visit(void *context, uint32_t i, unsigned *lost)
{
    struct loss *loss = context;
    enum effect effect = facts_effect(loss->facts, i);
    bool always = facts_always(loss->facts, i);
    if (effect_is_async(effect)) return at_async(loss, i, *lost);
    switch (effect) {
    case EFFECT_FENCE_BEFORE:
        return always ? STEP_DONE : STEP_ON;
    case EFFECT_FENCE_AFTER:
        if (always) *lost &= ~(unsigned)LOST_ISSUE;
        return *lost ? STEP_ON : STEP_DONE;
    case EFFECT_COMMIT:
        return at_commit(loss, i, lost);
    case EFFECT_RELEASE:
    case EFFECT_BOTH:
        return *lost & LOST_PUBLISH ? stop(loss, REASON_RELEASE, i) : STEP_ON;
    /* Synchronous tcgen05 instructions are inherently ordered with the others (9.7.16.6.1). */
    case EFFECT_OBSERVER:
        return *lost & LOST_PUBLISH ? stop(loss, REASON_OBSERVER, i) : STEP_ON;
    case EFFECT_CALL:
        return stop(loss, REASON_CALL, i);
    case EFFECT_EXIT:
        return at_exit(loss, i, *lost);
    default:
        return STEP_ON;
    }
}

void loss_walk(struct loss *loss, uint32_t site, unsigned lost)
{
    walk_forward(loss->facts, site, lost, visit, loss);
}
