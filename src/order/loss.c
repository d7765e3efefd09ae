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
        if (!pair_is_pipelined(loss->facts, loss->unordered->ops.at[n], i, &loss->regs,
                               &loss->verdict.assumptions))
            return stop(loss, REASON_NOT_PIPELINED, i);
    return STEP_ON;
}

static enum step visit_relayed(void *context, uint32_t i, unsigned *state)
{
    (void)state;
    struct loss *loss = context;
    const struct facts *facts = loss->facts;
    if (i == WALK_ENTRY) {
        if (facts->function->is_entry) return STEP_DONE;
        return stop(loss, REASON_FUNCTION_EDGE, NO_WITNESS);
    }
    enum effect effect = facts_effect(facts, i);
    if (effect == EFFECT_CALL || effect == EFFECT_FENCE_AFTER) {
        loss->relayed = i;
        return STEP_STOP;
    }
    bool ends = effect == EFFECT_FENCE_BEFORE || effect_is_pipe(effect);
    return ends && facts_always(facts, i) ? STEP_DONE : STEP_ON;
}

uint32_t loss_find_relayed(const struct facts *facts, uint32_t site)
{
    struct loss loss = {.facts = facts, .relayed = site};
    return walk_backward(facts, site, 0, visit_relayed, &loss) ? NO_WITNESS : loss.relayed;
}

/* The commit's own arrival sees all that is issued; what follows sees its implicit fence. */
static enum step at_commit(struct loss *loss, uint32_t i, unsigned *lost)
{
    if (loss->untracked != NO_WITNESS) return stop(loss, REASON_UNTRACKED, loss->untracked);
    if (!(*lost & LOST_PUBLISH)) return STEP_ON;
    if (loss->relayed != NO_WITNESS) return stop(loss, REASON_RECEIVED, loss->relayed);
    if (!facts_always(loss->facts, i)) return STEP_ON;
    if (!(loss->facts->assumptions & ASSUME_COMMIT_FENCES)) {
        loss->verdict.assumptions = ASSUME_COMMIT_FENCES;
        return stop(loss, REASON_ASSUMPTION, i);
    }
    loss->verdict.assumptions |= ASSUME_COMMIT_FENCES;
    *lost = (*lost & ~(unsigned)LOST_PUBLISH) | LOST_BEYOND_COMMIT;
    return STEP_ON;
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

/* Ordering operations: acquires are no less behind a fence::before than releases are (G4). */
static enum step at_ordering(struct loss *loss, uint32_t i, unsigned lost)
{
    enum effect effect = facts_effect(loss->facts, i);
    if (lost & LOST_PUBLISH)
        return stop(loss, effect_is_acquire(effect) ? REASON_ACQUIRE : REASON_RELEASE, i);
    if (lost & LOST_BEYOND_COMMIT && effect_is_beyond_commit(effect))
        return stop(loss, REASON_BEYOND_COMMIT, i);
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
    case EFFECT_RELEASE_BARRIER:
    case EFFECT_RELEASE_MEMORY:
    case EFFECT_ACQUIRE_BARRIER:
    case EFFECT_ACQUIRE_MEMORY:
    case EFFECT_BOTH_BARRIER:
    case EFFECT_BOTH_MEMORY:
        return at_ordering(loss, i, *lost);
    /* Synchronous tcgen05 instructions are inherently ordered with the others (9.7.16.6.1). */
    case EFFECT_ALLOC:
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
