/* Decides what the purpose of a release is when one of the thread's operations is in flight. See
 * published.h. */
#include "lint/published.h"

#include "lint/bulk_slot.h"
#include "lint/handover.h"
#include "lint/otherwise.h"
#include "value/instruction.h"

struct next {
    enum effect wait;
};

static enum walk_does look_for_publishing(void *context, const struct lint *lint, uint32_t instr,
                                          unsigned *state)
{
    const struct next *next = context;
    enum effect e = lint_effect(lint, instr);
    (void)state;
    if (e == next->wait || e == EFFECT_CALL || e == EFFECT_EXIT) return WALK_END;
    return release_of(lint, instr) ? WALK_FOUND : WALK_ON;
}

bool published_waits_next(const struct lint *lint, uint32_t barrier, enum effect wait)
{
    struct next next = {wait};
    struct walk_path path;
    uint32_t interest = RELEASE_EFFECTS | 1u << wait | 1 << EFFECT_CALL | 1 << EFFECT_EXIT;
    return !walk_find(lint, barrier, 0, interest, look_for_publishing, &next, &path) &&
           !path.gave_up;
}

/* ---- the columns are used again ---- */

bool published_is_reused(struct observers *observers, uint32_t operation, uint32_t release)
{
    const struct lint *lint = observers_lint(observers);
    uint32_t first = lint->cfg->block_of[operation], second = lint->cfg->block_of[release];
    bool before =
        first == second ? operation < release : subject_always_enters(lint->subject, first, second);
    return before && observers_reuse(observers, release, operation);
}

/* ---- another release follows the wait ---- */

struct behind_wait {
    struct observers *observers;
    uint32_t operation;
    enum effect wait;
    bool reused; /* a release after which tensor memory is only freed does not count */
};

static enum walk_does look_behind_wait(void *context, const struct lint *lint, uint32_t instr,
                                       unsigned *state)
{
    const struct behind_wait *behind = context;
    enum effect e = lint_effect(lint, instr);
    if (instr == behind->operation || e == EFFECT_CALL || e == EFFECT_EXIT) return WALK_END;
    if (e == behind->wait) *state = 1;
    if (!*state || !release_of(lint, instr)) return WALK_ON;
    if (behind->reused && observers_only_free(behind->observers, instr, behind->operation))
        return WALK_ON;
    return observers_matter(behind->observers, instr, behind->operation) ? WALK_FOUND : WALK_ON;
}

static enum walk_does look_for_no_wait(void *context, const struct lint *lint, uint32_t instr,
                                       unsigned *state)
{
    const struct behind_wait *behind = context;
    enum effect e = lint_effect(lint, instr);
    (void)state;
    if (e == behind->wait) return WALK_END;
    return instr == behind->operation || e == EFFECT_CALL || e == EFFECT_EXIT ? WALK_FOUND
                                                                              : WALK_ON;
}

bool published_is_for_another(struct observers *observers, uint32_t operation, uint32_t release,
                              enum effect wait)
{
    struct lint *lint = observers_lint(observers);
    struct behind_wait behind = {observers, operation, wait, false};
    uint32_t interest = RELEASE_EFFECTS | 1u << wait | 1u << lint_effect(lint, operation) |
                        1 << EFFECT_CALL | 1 << EFFECT_EXIT;
    struct walk_path path;
    if (walk_find(lint, release, 0, interest, look_for_no_wait, &behind, &path) || path.gave_up ||
        !walk_find(lint, release, 0, interest, look_behind_wait, &behind, &path))
        return false;
    behind.reused = published_is_reused(observers, operation, release);
    return !behind.reused ||
           walk_find(lint, release, 0, interest, look_behind_wait, &behind, &path);
}

/* ---- no other release follows the store ---- */

struct next_round {
    struct observers *observers;
    uint32_t operation, release;
    bool moves;
};

static enum walk_does look_for_next_round(void *context, const struct lint *lint, uint32_t instr,
                                          unsigned *state)
{
    const struct next_round *round = context;
    enum effect e = lint_effect(lint, instr);
    if (instr == round->operation) return WALK_FOUND;
    if (e == EFFECT_CALL || e == EFFECT_EXIT) return WALK_END;
    if (e == EFFECT_WAIT_ST) *state = 1;
    if (!*state || !release_of(lint, instr)) return WALK_ON;
    bool same = instr == round->release && !round->moves;
    return !same && observers_matter(round->observers, instr, round->operation) ? WALK_END
                                                                                : WALK_ON;
}

bool published_store_is_for_none(struct observers *observers, uint32_t store, uint32_t release)
{
    struct lint *lint = observers_lint(observers);
    const struct tensor_op *op = handover_op(lint, store);
    bool fixed = op && op->range_count == 1 && value_is_fixed(lint->subject, op->ranges[0].address);
    struct next_round round = {observers, store, release, !fixed};
    uint32_t interest = RELEASE_EFFECTS | 1 << EFFECT_WAIT_ST | 1 << EFFECT_ASYNC_ST |
                        1 << EFFECT_CALL | 1 << EFFECT_EXIT;
    struct walk_path path;
    return walk_find(lint, release, 0, interest, look_for_next_round, &round, &path);
}

/* ---- the release frees a slot of a ring ---- */

bool published_frees_slot(const struct lint *lint, uint32_t operation, uint32_t release)
{
    const struct barrier_use *use = barriers_at(lint->subject, release);
    if (!use || use->kind != BARRIER_ARRIVE) return false;
    struct bulk_slot cells =
        bulk_slot_of(lint, operation, instruction_first_address(lint->subject, operation));
    struct bulk_slot freed =
        bulk_slot_of(lint, release, instruction_first_address(lint->subject, release));
    return !cells.fixed && !freed.fixed && bulk_slots_same(&cells, &freed);
}

/* ---- another warp conflicts with the operation ---- */

struct collision {
    const struct tensor_op *operation;
    const struct handover *release;
};

/* The wait may be for a signal that the operation's thread gives after the operation. True for a
 * call. */
static bool may_be_signalled(const struct lint *lint, uint32_t operation, uint32_t wait)
{
    const struct handovers *all = lint->handovers;
    const struct handover *waits = handover_at(lint, wait);
    if (!waits || !waits->waits) return !waits;
    const struct handover_list *signals = handover_signals(lint, (uint32_t)(waits - all->at));
    for (uint32_t s = 0; s < signals->count; s++)
        if (handover_reaches(lint, operation, all->at[signals->at[s]].instr)) return true;
    return false;
}

static enum walk_does look_for_collision(void *context, const struct lint *lint, uint32_t instr,
                                         unsigned *state)
{
    const struct collision *with = context;
    const struct tensor_op *op = handover_op(lint, instr);
    (void)state;
    if (!op) return may_be_signalled(lint, with->operation->instr, instr) ? WALK_END : WALK_ON;
    if (!handover_conflict(lint, with->operation, op)) return WALK_ON;
    struct condition_set own = conditions_of(lint->subject, with->operation->instr),
                         set = conditions_of(lint->subject, instr);
    if (!conditions_other_warp(lint->subject, &own, &set)) return WALK_ON;
    if (otherwise_ordered(lint, with->operation->instr, instr, with->release)) return WALK_ON;
    return WALK_FOUND;
}

bool published_collides(struct observers *observers, uint32_t operation, uint32_t release)
{
    const struct lint *lint = observers_lint(observers);
    const struct handover *at = handover_at(lint, release);
    struct handover as_own = at ? *at : (struct handover){0};
    struct collision with = {handover_op(lint, operation), at ? &as_own : NULL};
    uint32_t next = 0, other,
             interest = WALK_ASYNC | 1 << EFFECT_ACQUIRE_BARRIER | 1 << EFFECT_ACQUIRE_MEMORY |
                        1 << EFFECT_BOTH_BARRIER | 1 << EFFECT_BOTH_MEMORY | 1 << EFFECT_CALL;
    struct walk_path path;
    if (!with.operation || !with.release) return false;
    as_own.use = observers_barrier(observers, release);
    if (as_own.use && as_own.use->indexed) return false;
    while ((other = observers_next(observers, release, &next)) != NO_INSTR)
        if (walk_find(lint, other, 0, interest, look_for_collision, &with, &path)) return true;
    return false;
}

/* ---- a warp at the same barrier issues an mma ---- */

/* The wait may be for a signal that all warps which execute the operation give after it. */
static bool may_be_told_by_all(const struct lint *lint, uint32_t operation,
                               const struct handover *wait)
{
    const struct handovers *all = lint->handovers;
    const struct handover_list *signals = handover_signals(lint, (uint32_t)(wait - all->at));
    for (uint32_t s = 0; s < signals->count; s++) {
        uint32_t signal = all->at[signals->at[s]].instr;
        if (handover_reaches(lint, operation, signal) &&
            !handover_more_warps(lint, signal, operation))
            return true;
    }
    return false;
}

static enum walk_does look_for_product(void *context, const struct lint *lint, uint32_t instr,
                                       unsigned *state)
{
    const struct collision *with = context;
    const struct tensor_op *op = handover_op(lint, instr);
    const struct handover *h = handover_at(lint, instr);
    (void)state;
    if (h && h->waits && h->channel != CHANNEL_WARP)
        return h->channel != CHANNEL_MBARRIER || may_be_told_by_all(lint, with->operation->instr, h)
                   ? WALK_END
                   : WALK_ON;
    if (!op || lint_effect(lint, instr) != EFFECT_ASYNC_MMA) return WALK_ON;
    bool collides = handover_conflict(lint, with->operation, op) &&
                    handover_more_warps(lint, instr, with->operation->instr);
    return collides ? WALK_FOUND : WALK_ON;
}

bool published_meets_product(const struct lint *lint, uint32_t operation, uint32_t barrier)
{
    struct collision with = {handover_op(lint, operation), handover_at(lint, barrier)};
    uint32_t interest = WALK_ASYNC | 1 << EFFECT_ACQUIRE_BARRIER | 1 << EFFECT_ACQUIRE_MEMORY |
                        1 << EFFECT_BOTH_BARRIER | 1 << EFFECT_BOTH_MEMORY | 1 << EFFECT_CALL;
    struct walk_path path;
    return with.operation && with.release && with.release->channel == CHANNEL_CTA &&
           walk_find(lint, barrier, 0, interest, look_for_product, &with, &path) && !path.vague;
}
