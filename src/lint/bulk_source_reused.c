/* The code bulk-source-reused: shared memory that a bulk store or reduction still reads is written
 * again.
 *
 *     cp.async.bulk.global.shared::cta.bulk_group [g], [s], n; commit_group; st.shared [s], r
 *     …; commit_group; cp.async.bulk.wait_group.read 0; bar.sync 1, 128; st.shared [s], r     right
 *
 * Only the thread that issued a store (the issuer) can wait for it. So the writes of three kinds of
 * threads are examined: of the issuer; of threads that execute the same code, if no barrier has
 * joined them with the issuer since its wait; and of threads that wait for a signal that the issuer
 * gave before its wait. */
#include "base/sorted.h"
#include "lint/block_warps.h"
#include "lint/bulk_peer_source.h"
#include "lint/bulk_rounds.h"
#include "lint/bulk_writes.h"
#include "lint/handover.h"
#include "lint/tells.h"
#include "lint/tensormap_reused.h"
#include "lint/told.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"
#include "value/lanes.h"

enum { SIGNALS_MAX = 8, GROUPS_MAX = 7, MEETS_MAX = 7, BACK_MAX = 16, COVERED_MAX = 8 };

/* The state of a walk: the low bits count how far the counter has advanced since the store; the
 * high bits count the groups committed since the store, or the barriers joined with the other
 * threads. */
enum { SLOT_MASK = SLOTS_MAX - 1, COUNT_SHIFT = 3 };

/* The low bits, if the size of the ring is not known: the counter has only advanced, so that it
 * names other slots than before; or it may have been set back. */
enum { HAS_ADVANCED = 1, IS_SET_BACK = 2 };

/* In the state of a walk of another thread: the last barrier was covered->join; the thread has
 * waited for something else since. */
enum { IS_LAST = 1 << 6, HAS_WAITED = 1 << 7 };

/* How the issuer comes to a wait for the store. */
struct covered {
    uint32_t wait;
    unsigned meets; /* it joins at least so many barriers with the others before the wait */
    uint32_t join;  /* the last of them */
};

struct search {
    struct lint *lint;
    struct bulk_stores stores;
    struct lanes_shape shape;
    const uint32_t *warps; /* by block: see block_warps_find; NULL before the first use */
    const struct smem_place *store;
    struct bulk_writes *writes; /* for the store */
    struct item_list groups;    /* commits and wait_groups */
    struct item_list guarded;   /* those of them that have a guard */
    struct bulk_slot slot;      /* of the store */
    uint32_t join;              /* the barrier before it, or NO_INSTR */
    bool of_warp; /* the other lanes of the issuer's warp are examined, not other warps */
    const struct handover *signals[SIGNALS_MAX]; /* given by the issuer before its wait */
    uint32_t signal_count;
    /* By index in handovers->at, for a wait: 1 + the number of the writes of which none follows it,
     * of those that were asked about last. */
    uint32_t *nothing_behind;
    struct item_list told; /* the signals for which told_to_some, as indices in handovers->at */
    bool notes;            /* the walk of the issuer notes signals */
    uint32_t to;           /* the signal that the walk looks for; NO_INSTR: any write */
    struct covered covered[COVERED_MAX];
    uint32_t covered_count;
    unsigned fewest;          /* the fewest barriers in covered */
    const struct covered *as; /* other threads come to their write as the issuer to its wait */
};

static unsigned count_of(unsigned state)
{
    return (state & ~(unsigned)(IS_LAST | HAS_WAITED)) >> COUNT_SHIFT;
}

static unsigned slot_of_state(unsigned state)
{
    return state & SLOT_MASK;
}

/* ---- instructions ---- */

static bool is_bulk_store(const struct lint *lint, const struct smem_place *place)
{
    return !place->writes && bulk_is_store(lint, place->instr);
}

/* The write of instr that may overlap what the store reads; NULL if there is none. */
static const struct smem_place *write_at(const struct search *s, uint32_t instr)
{
    return bulk_write_at(&s->stores, s->writes, instr);
}

/* ---- slots ---- */

/* Whether a write is to the slot of the store after the counter has advanced by `gone`. If the
 * slots cannot be distinguished, the result is `again`. */
static bool is_same_slot(const struct search *s, const struct smem_place *write, unsigned gone,
                         bool again)
{
    struct bulk_slot to = bulk_slot_of(s->lint, write->instr, 0);
    if (s->slot.fixed && to.fixed) return true;
    if (!s->slot.size && s->slot.web != REG_NONE && bulk_slots_same(&s->slot, &to)) {
        struct value index = {s->slot.index, 0};
        bool is_counter = value_expr(s->lint->subject, index)->kind == EXPR_REG;
        if (!gone || (is_counter && gone == HAS_ADVANCED)) return !gone;
    }
    if (!s->slot.size || to.size != s->slot.size || to.web != s->slot.web) return again;
    int64_t apart = (int64_t)gone + to.ahead - s->slot.ahead;
    return apart % s->slot.size == 0;
}

/* Advances the counter in the state. False if the counter is set to something else, and it is known
 * how it wraps. */
static bool step_counter(const struct search *s, uint32_t instr, unsigned *state)
{
    int64_t by = bulk_slot_step(s->lint, &s->slot, instr);
    if (by < 0 && s->slot.size) return false;
    if (!by) return true;
    unsigned gone = slot_of_state(*state);
    if (s->slot.size)
        gone = (gone + (unsigned)by) % s->slot.size;
    else if (gone != IS_SET_BACK)
        gone = by < 0 ? IS_SET_BACK : HAS_ADVANCED;
    *state = (*state & ~(unsigned)SLOT_MASK) | gone;
    return true;
}

/* The effects at which a walk stops; 0, every instruction, if the counter must be followed. */
static uint32_t interest_of(const struct search *s)
{
    if (s->slot.web != REG_NONE) return 0;
    return WALK_SHARED_MEMORY | 1u << EFFECT_MEET_MEMORY | 1u << EFFECT_RELEASE_MEMORY |
           1u << EFFECT_ACQUIRE_MEMORY | 1u << EFFECT_BOTH_MEMORY | 1u << EFFECT_RELEASE_BARRIER |
           1u << EFFECT_ACQUIRE_BARRIER | 1u << EFFECT_BOTH_BARRIER | 1u << EFFECT_CALL;
}

/* ---- the issuer ---- */

/* The signal is for the slot: its mbarrier has the same index in its ring. */
static bool is_for_slot(const struct search *s, const struct handover *signal)
{
    if (signal->channel == CHANNEL_CTA) return s->slot.fixed;
    if (signal->use->kind != BARRIER_ARRIVE || signal->use->remote) return false;
    uint32_t operand = 0;
    while (instruction_operand(s->lint->subject, signal->instr, operand).n &&
           instruction_begins(s->lint->subject, signal->instr, operand) != '[')
        operand++;
    struct bulk_slot of = bulk_slot_of(s->lint, signal->instr, operand);
    return bulk_slots_same(&of, &s->slot);
}

static bool is_first_round(const struct search *s, unsigned state)
{
    return s->slot.web != REG_NONE ? slot_of_state(state) == 0 : s->slot.fixed;
}

static void note_signal(struct search *s, uint32_t instr, unsigned state)
{
    const struct handover *h = handover_at(s->lint, instr);
    if (!h || !h->signals || s->signal_count == SIGNALS_MAX) return;
    if (h->channel != CHANNEL_MBARRIER && h->channel != CHANNEL_CTA) return;
    if (!is_first_round(s, state)) return;
    for (uint32_t i = 0; i < s->signal_count; i++)
        if (s->signals[i] == h) return;
    s->signals[s->signal_count++] = h;
}

/* A wait that leaves `pending` groups, after so many: GROUPS_MAX stands for any greater number. */
static bool may_be_waited(int64_t pending, unsigned groups)
{
    return pending < groups || groups == GROUPS_MAX;
}

static enum walk_does look_issuer(void *context, const struct lint *lint, uint32_t instr,
                                  unsigned *state)
{
    struct search *s = context;
    int64_t pending = bulk_left_pending(lint, instr);
    unsigned groups = count_of(*state);
    if (lint_effect(lint, instr) == EFFECT_CALL || !step_counter(s, instr, state)) return WALK_END;
    if (pending >= 0 && groups && may_be_waited(pending, groups)) return WALK_END;
    if (bulk_commits(lint, instr) && groups < GROUPS_MAX) *state += 1 << COUNT_SHIFT;
    if (s->to != NO_INSTR)
        return instr == s->to && is_first_round(s, *state) ? WALK_FOUND : WALK_ON;
    const struct smem_place *write = write_at(s, instr);
    if (write && is_same_slot(s, write, slot_of_state(*state), groups == GROUPS_MAX))
        return WALK_FOUND;
    if (s->notes) note_signal(s, instr, *state);
    return WALK_ON;
}

/* ---- what the path leaves out ---- */

/* The guard has one value for all threads that issue the store; or, if of_thread, for the thread
 * that takes the path. */
static bool is_guard_known(const struct search *s, uint32_t instr, bool of_thread)
{
    if (s->lint->function->instrs[instr].guard == REG_NONE) return true;
    struct condition_set issuer = conditions_of(s->lint->subject, s->store->instr);
    struct value guard = value_of_guard(s->lint->subject, instr);
    return condition_truth(s->lint->subject, &issuer, guard) != TRUTH_UNKNOWN ||
           (of_thread && lanes_know(s->lint->subject, guard));
}

/* The issuer may execute a commit or a wait_group of the list in [first, end). of_thread: as for
 * is_guard_known, of those whose guard is not known; NULL: any. */
static bool issuer_may_run(const struct search *s, const struct item_list *list, uint32_t first,
                           uint32_t end, const bool *of_thread)
{
    uint32_t n = sorted_find(list->at, 0, list->count, first);
    while (n < list->count && list->at[n] < end &&
           ((of_thread && is_guard_known(s, list->at[n], *of_thread)) ||
            condition_pairs_exclude(s->lint->subject, s->store->instr, list->at[n])))
        n++;
    return n < list->count && list->at[n] < end;
}

/* The issuer does not take the path, or the path skips a commit or a wait_group by a guard that is
 * not known for the issuer, such as another elect.sync or a bound: it may have executed it. */
static bool leaves_out(struct search *s, const struct walk_path *path)
{
    const struct cfg *cfg = s->lint->cfg;
    bool of_thread; /* some thread certainly takes the path, such as by its lane */
    uint32_t takers = lanes_warps(s->lint->subject, &s->shape, &path->set, &of_thread);
    if (!s->warps) s->warps = block_warps_find(s->lint, &s->shape);
    if (!(takers & s->warps[cfg->block_of[s->store->instr]])) return true;
    for (uint32_t i = 0; i + 1 < path->count; i++) {
        uint32_t at = path->instrs[i];
        const struct block *from = &cfg->blocks[cfg->block_of[at]],
                           *to = &cfg->blocks[cfg->block_of[path->instrs[i + 1]]];
        bool skips =
            at + 1 == from->end && to->first > from->end && !is_guard_known(s, at, of_thread);
        if (issuer_may_run(s, &s->guarded, i ? from->first : at, from->end, &of_thread) ||
            (skips && issuer_may_run(s, &s->groups, from->end, to->first, NULL)))
            return true;
    }
    return false;
}

/* ---- threads that execute the same code ---- */

/* A barrier of the CTA; if of_warp, also one of the warp. */
static bool joins_beside(const struct search *s, uint32_t instr)
{
    const struct handover *h = handover_at(s->lint, instr);
    bool joins = h && (h->channel == CHANNEL_CTA || (s->of_warp && h->channel == CHANNEL_WARP));
    return joins && h->signals && h->waits;
}

/* The last barrier of the block before `end`, or NO_INSTR. */
static uint32_t join_in_block(const struct search *s, uint32_t block, uint32_t end)
{
    const struct handovers *all = s->lint->handovers;
    uint32_t first = s->lint->cfg->blocks[block].first;
    lint_spend(s->lint, 1);
    for (uint32_t h = handover_from(all, end); h > 0 && all->at[h - 1].instr >= first; h--) {
        lint_spend(s->lint, 1);
        if (joins_beside(s, all->at[h - 1].instr)) return all->at[h - 1].instr;
    }
    return NO_INSTR;
}

/* Notes the barriers that may be the last one before the instruction. Returns their number; 0 if
 * there are too many blocks between them and the instruction. */
static uint32_t joins_before(const struct search *s, uint32_t at, uint32_t joins[static BACK_MAX])
{
    const struct cfg *cfg = s->lint->cfg;
    uint32_t blocks[BACK_MAX] = {cfg->block_of[at]}, count = 1, found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct block *block = &cfg->blocks[blocks[i]];
        uint32_t join = join_in_block(s, blocks[i], i ? block->end : at);
        if (join != NO_INSTR) joins[found++] = join;
        for (uint32_t p = 0; p < block->pred_count && join == NO_INSTR; p++) {
            uint32_t pred = cfg->preds[block->first_pred + p], known = 1; /* the end of the first */
            while (known < count && blocks[known] != pred) known++;
            if (known < count) continue;
            if (count == BACK_MAX) return 0;
            blocks[count++] = pred;
        }
    }
    return found;
}

/* A barrier that every thread that reached s->join also reaches. */
static bool joins_all_before(const struct search *s, uint32_t instr)
{
    return joins_beside(s, instr) && condition_pairs_set(s->lint->subject, instr)->count <=
                                         condition_pairs_set(s->lint->subject, s->join)->count;
}

static void note_covered(struct search *s, uint32_t instr, unsigned meets)
{
    uint32_t joins[BACK_MAX], count = joins_before(s, instr, joins);
    if (meets < s->fewest) s->fewest = meets;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = 0;
        while (at < s->covered_count &&
               (s->covered[at].wait != instr || s->covered[at].join != joins[i]))
            at++;
        if (at < s->covered_count && meets < s->covered[at].meets) s->covered[at].meets = meets;
        if (at == s->covered_count && at < COVERED_MAX)
            s->covered[s->covered_count++] = (struct covered){instr, meets, joins[i]};
    }
}

/* The effects of commit_group, wait_group, barriers and calls. */
enum {
    UNTIL_WAITED = 1 << EFFECT_BOTH_MEMORY | 1 << EFFECT_ACQUIRE_MEMORY | 1 << EFFECT_BOTH_BARRIER |
                   1 << EFFECT_CALL
};

static enum walk_does look_until_waited(void *context, const struct lint *lint, uint32_t instr,
                                        unsigned *state)
{
    struct search *s = context;
    int64_t pending = bulk_left_pending(lint, instr);
    unsigned groups = *state & GROUPS_MAX, meets = count_of(*state);
    if (lint_effect(lint, instr) == EFFECT_CALL) return WALK_END;
    if (pending >= 0 && groups && pending < groups) {
        note_covered(s, instr, meets);
        return WALK_END;
    }
    if (bulk_commits(lint, instr) && groups < GROUPS_MAX) *state += 1;
    if (!joins_all_before(s, instr)) return WALK_ON;
    if (meets == MEETS_MAX) return WALK_END;
    *state += 1 << COUNT_SHIFT;
    return WALK_ON;
}

/* Another thread joins a barrier. False if that is after the issuer's wait. */
static bool join_in_turn(const struct search *s, uint32_t instr, unsigned *state)
{
    if (count_of(*state) >= s->as->meets) return false;
    /* The issuer comes to this barrier before its wait, so what the thread has waited for until now
     * cannot depend on that wait. */
    *state = (*state & ~(unsigned)(IS_LAST | HAS_WAITED)) + (1 << COUNT_SHIFT);
    if (instr == s->as->join) *state |= IS_LAST;
    return true;
}

/* The issuer may not yet have come to its wait: it does so after another barrier on every path; or
 * it comes to the wait after the same barrier, and the thread has waited for nothing since. */
static bool is_ahead(const struct search *s, unsigned state)
{
    bool same = count_of(state) == s->as->meets && state & IS_LAST;
    return count_of(state) < s->fewest || (same && !(state & HAS_WAITED));
}

/* The issuer waits ahead of the store for a signal that threads give after the write, and after
 * which they do not write again: the store is of what they write there. A write that the issuer
 * comes to after the store is for the next one. */
static bool is_data_of_store(const struct search *s, uint32_t write)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    const struct handover_list *waits = handover_waits_before(lint, s->store->instr);
    lint_spend(lint, waits->count + 1);
    if (handover_reaches(lint, s->store->instr, write)) return false;
    for (uint32_t w = 0; w < waits->count; w++) {
        const struct handover_list *signals = handover_signals(lint, waits->at[w]);
        lint_spend(lint, signals->count);
        for (uint32_t i = 0; i < signals->count; i++) {
            const struct handover *signal = &all->at[signals->at[i]];
            if (signal->channel == CHANNEL_MBARRIER &&
                handover_reaches(lint, write, signal->instr) &&
                !handover_reaches(lint, signal->instr, write) &&
                handover_signals_for_all(lint, write, signal->instr))
                return true;
        }
    }
    return false;
}

static enum walk_does look_beside(void *context, const struct lint *lint, uint32_t instr,
                                  unsigned *state)
{
    struct search *s = context;
    const struct handover *h = handover_at(lint, instr);
    if (instr == s->store->instr || !step_counter(s, instr, state)) return WALK_END;
    if (joins_all_before(s, instr)) return join_in_turn(s, instr, state) ? WALK_ON : WALK_END;
    if (h && h->channel == CHANNEL_UNKNOWN) return WALK_END;
    if (h && h->waits && h->channel != CHANNEL_WARP) *state |= HAS_WAITED;
    const struct smem_place *write = write_at(s, instr);
    if (write && is_same_slot(s, write, slot_of_state(*state), false) && is_ahead(s, *state) &&
        !is_data_of_store(s, instr))
        return WALK_FOUND;
    return WALK_ON;
}

/* Some warp may have threads that meet the one set, and threads that meet the other. */
static bool shares_warp(const struct search *s, const struct condition_set *a,
                        const struct condition_set *b)
{
    bool sure;
    return lanes_warps(s->lint->subject, &s->shape, a, &sure) &
           lanes_warps(s->lint->subject, &s->shape, b, &sure);
}

/* Other threads write at a place to which they come as the issuer comes to its wait. */
static bool is_written_in_turn(struct search *s, const struct covered *as, bool of_warp,
                               struct walk_path *path)
{
    struct condition_set issuer = conditions_of(s->lint->subject, s->store->instr);
    unsigned state = s->join == as->join ? IS_LAST : 0;
    s->as = as;
    return walk_find(s->lint, s->join, state, interest_of(s), look_beside, s, path) &&
           !path->vague && conditions_exclude(s->lint->subject, &path->set, &issuer) &&
           (of_warp ? shares_warp(s, &path->set, &issuer)
                    : lanes_other_warp(s->lint->subject, &s->shape, &path->set, &issuer));
}

/* The counter of the ring may advance between the barrier and the store. */
static bool counts_before_store(const struct search *s)
{
    if (s->slot.web == REG_NONE) return false;
    if (s->join > s->store->instr) return true;
    for (uint32_t i = s->join; i < s->store->instr; i++)
        if (bulk_slot_step(s->lint, &s->slot, i)) return true;
    return false;
}

/* Some instruction that threads other than the issuer may execute writes what the store reads. */
static bool has_write_beside(const struct search *s, const struct condition_set *issuer)
{
    const struct bulk_writes *writes = s->writes;
    const struct condition_set *no_others = NULL;
    uint32_t first = bulk_writes_behind(&s->stores, writes, s->store->instr);
    for (uint32_t i = 0; i < writes->last_count; i++) {
        const struct smem_place *write = bulk_write_from(&s->stores, writes, first, i);
        const struct condition_set *set = condition_pairs_set(s->lint->subject, write->instr);
        if (set == no_others || !handover_reaches(s->lint, s->join, write->instr)) continue;
        if (s->of_warp || lanes_other_warp(s->lint->subject, &s->shape, set, issuer)) return true;
        no_others = set;
    }
    return false;
}

static bool is_written_beside(struct search *s, bool of_warp, struct walk_path *path)
{
    struct condition_set issuer = conditions_of(s->lint->subject, s->store->instr);
    struct walk_path until;
    uint32_t joins[BACK_MAX];
    s->of_warp = of_warp;
    if (joins_before(s, s->store->instr, joins) != 1) return false;
    s->join = joins[0];
    if (counts_before_store(s)) return false;
    if (of_warp && !conditions_one_lane(s->lint->subject, &issuer)) return false;
    if (!has_write_beside(s, &issuer)) return false;
    s->covered_count = 0;
    s->fewest = MEETS_MAX;
    (void)walk_forward(s->lint, s->store->instr, 0, UNTIL_WAITED, look_until_waited, s, &until);
    if (until.gave_up) return false;
    for (uint32_t i = 0; i < s->covered_count; i++)
        if (is_written_in_turn(s, &s->covered[i], of_warp, path)) return true;
    return false;
}

/* ---- threads that wait for a signal ---- */

static enum walk_does look_for_signalled_write(void *context, const struct lint *lint,
                                               uint32_t instr, unsigned *state)
{
    struct search *s = context;
    const struct handover *h = handover_at(lint, instr);
    (void)state;
    if (write_at(s, instr)) return WALK_FOUND;
    return h && h->waits && h->channel != CHANNEL_WARP ? WALK_END : WALK_ON;
}

/* The thread that waits reaches a write of s->writes before it waits again. */
static bool writes_after(struct search *s, const struct handover *wait, struct walk_path *path)
{
    const uint32_t interest = 1u << EFFECT_MEMORY | 1u << EFFECT_MEET_MEMORY |
                              1u << EFFECT_RELEASE_MEMORY | 1u << EFFECT_BOTH_MEMORY |
                              1u << EFFECT_ACQUIRE_BARRIER | 1u << EFFECT_BOTH_BARRIER |
                              1u << EFFECT_ACQUIRE_MEMORY;
    uint32_t *nothing = &s->nothing_behind[wait - s->lint->handovers->at];
    if (*nothing == s->writes->number + 1) return false;
    bool writes = walk_find(s->lint, wait->instr, 0, interest, look_for_signalled_write, s, path) &&
                  !path->vague;
    if (!writes) *nothing = s->writes->number + 1;
    return writes;
}

static bool is_write_signalled(struct search *s, const struct handover *signal,
                               struct walk_path *path)
{
    const struct handovers *all = s->lint->handovers;
    const struct handover_list *waits = handover_waits(s->lint, (uint32_t)(signal - all->at));
    if (!is_for_slot(s, signal)) return false;
    lint_spend(s->lint, waits->count);
    for (uint32_t w = 0; w < waits->count; w++) {
        const struct handover *wait = &all->at[waits->at[w]];
        if (told_for_sure(s->lint, signal, wait) && writes_after(s, wait, path)) return true;
    }
    return false;
}

/* ---- the search ---- */

static void bulk_source_reused_report(struct search *s, const struct walk_path *path,
                                      const char *says, const char *fix)
{
    lint_report(s->lint,
                (struct hazard){&lint_bulk_source_reused, LINT_WARNING, path->found,
                                s->store->instr, says, fix, path->instrs, path->count, NULL});
}

/* The issuer certainly reaches the signal without having waited. */
static bool comes_to(struct search *s, uint32_t signal)
{
    struct walk_path path;
    s->to = signal;
    bool found = walk_find(s->lint, s->store->instr, 0, interest_of(s), look_issuer, s, &path);
    s->to = NO_INSTR;
    return found && !path.vague && !leaves_out(s, &path);
}

static bool ask_told(struct search *s)
{
    struct walk_path path;
    for (uint32_t i = 0; i < s->signal_count; i++) {
        if (!is_write_signalled(s, s->signals[i], &path) || !comes_to(s, s->signals[i]->instr))
            continue;
        bulk_source_reused_report(
            s, &path,
            "this writes shared memory that %s may still read[: the slot was released before the "
            "store has read it]",
            "execute cp.async.bulk.wait_group.read after %s, ahead of the arrive that releases "
            "the slot");
        return true;
    }
    return false;
}

/* A write of s->writes may follow the store, in its thread or after a signal of it. */
static bool may_be_overwritten(const struct search *s)
{
    const struct bulk_writes *writes = s->writes;
    const uint32_t store = s->store->instr, first = bulk_writes_behind(&s->stores, writes, store);
    for (uint32_t i = 0; i < writes->last_count; i++)
        if (handover_reaches(s->lint, store, bulk_write_from(&s->stores, writes, first, i)->instr))
            return true;
    for (uint32_t i = 0; i < writes->last_count; i++)
        if (tells_before(s->lint, store, s->stores.places.at[writes->lasts[i]].instr)) return true;
    return false;
}

/* Looks for the next of the signals after which another thread writes. Whether it does depends on
 * the slot of the store alone. */
static bool find_release(struct search *s)
{
    struct walk_path path;
    while (s->writes->examined < s->told.count) {
        uint32_t signal = s->told.at[s->writes->examined++];
        if (!is_write_signalled(s, &s->lint->handovers->at[signal], &path)) continue;
        vec_push(&s->writes->releases, signal);
        return true;
    }
    return false;
}

/* The issuer may reach a signal after which another thread writes. */
static bool may_release_write(struct search *s)
{
    const struct handovers *all = s->lint->handovers;
    const struct item_list *releases = &s->writes->releases;
    uint32_t first =
        sorted_find(releases->at, 0, releases->count, handover_from(all, s->store->instr));
    for (uint32_t i = first; i < releases->count || find_release(s); i++)
        if (handover_reaches(s->lint, s->store->instr, all->at[releases->at[i]].instr)) return true;
    for (uint32_t i = 0; i < first; i++)
        if (handover_reaches(s->lint, s->store->instr, all->at[releases->at[i]].instr)) return true;
    return false;
}

/* Finds a write that the issuer reaches without having waited, and the signals that it gives before
 * that. */
static bool find_after_store(struct search *s, struct walk_path *path)
{
    s->to = NO_INSTR;
    s->notes = may_release_write(s);
    *path = (struct walk_path){.found = NO_INSTR};
    if (!s->notes && !walk_may_find(s->lint, s->store->instr, 0, interest_of(s), look_issuer, s))
        return false;
    return walk_forward(s->lint, s->store->instr, 0, interest_of(s), look_issuer, s, path);
}

/* A slot released too early is reported first: the other findings would follow from the same
 * fault. */
static void check_bulk_store(struct search *s)
{
    struct walk_path path, beside;
    s->signal_count = 0;
    s->writes = bulk_writes_of(s->lint, &s->stores, s->store, &s->slot);
    bool found = may_be_overwritten(s) && find_after_store(s, &path);
    if (ask_told(s)) return;
    if (found && !path.vague && !leaves_out(s, &path))
        bulk_source_reused_report(
            s, &path,
            "this writes shared memory that %s may still read[: the thread that issued the store "
            "has not waited for it]",
            "let the thread that issued %s commit it and execute cp.async.bulk.wait_group.read "
            "N, with N so small that it waits for that group");
    else if (!found &&
             (is_written_beside(s, false, &beside) || is_written_beside(s, true, &beside)))
        bulk_source_reused_report(
            s, &beside,
            "this writes shared memory that %s may still read[: no barrier is between the wait for "
            "the store and this write]",
            "write a barrier after the wait_group of the thread that issued %s, ahead of this "
            "write");
}

static void bulk_source_reused_find(struct lint *lint)
{
    struct search s = {.lint = lint};
    tensormap_reused_find(lint, &lint_bulk_source_reused);
    bulk_peer_source_find(lint, &lint_bulk_source_reused);
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        if (!bulk_commits(lint, i) && bulk_left_pending(lint, i) < 0) continue;
        vec_push(&s.groups, i);
        if (lint->function->instrs[i].guard != REG_NONE) vec_push(&s.guarded, i);
    }
    if (!s.groups.count) return;
    s.stores = bulk_stores_begin(lint);
    s.nothing_behind = arena_alloc(lint->arena, lint->handovers->count, sizeof *s.nothing_behind);
    for (uint32_t i = 0; i < lint->handovers->count; i++)
        if (told_to_some(lint, i)) vec_push(&s.told, i);
    s.shape = lint->handovers->shape;
    for (uint32_t i = 0; i < s.stores.places.count; i++) {
        s.store = &s.stores.places.at[i];
        if (!is_bulk_store(lint, s.store)) continue;
        if (!conditions_reach(lint->subject, lint->cfg->block_of[s.store->instr])) continue;
        s.slot = bulk_slot_of(lint, s.store->instr, 1);
        check_bulk_store(&s);
    }
    bulk_stores_end(&s.stores);
    vec_free(&s.told);
    vec_free(&s.groups);
    vec_free(&s.guarded);
    bulk_rounds_find(lint, &lint_bulk_source_reused);
}

const struct lint_code lint_bulk_source_reused = {
    .id = "bulk-source-reused",
    .section = "9.7.9.25.3.2",
    .summary = "shared memory or a tensor map is written while a bulk copy may still read it",
    .sentence = "The optional `.read` modifier indicates that the waiting has to be done until all "
                "the bulk async operations in the specified bulk async-group have completed "
                "reading from their source locations.",
    .risk = "the bulk store copies parts of the next tile to global memory",
    .explanation =
        "Broken:  cp.async.bulk.global.shared::cta.bulk_group [g], [s], n; "
        "cp.async.bulk.commit_group; bar.sync 1, 128; st.shared [s], r\n"
        "Right:   ...; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; bar.sync 1, "
        "128; st.shared [s], r\n"
        "\n"
        "A bulk store reads shared memory after the instruction is issued. Only the thread that "
        "issued it can wait for it. wait_group N waits for all but the last N committed groups. "
        "Lint reports a write that most likely overlaps what the store reads: by the issuing "
        "thread, if no wait on the path covers the store; by a thread that waits for an mbarrier "
        "or a named barrier which the issuing thread signalled before its wait_group; by the "
        "other warps or lanes that execute the same instructions, if no barrier is between the "
        "wait_group and their write.\n"
        "\n"
        "If the slot of a ring is counter & (n - 1), or the counter is set back to 0 after n - 1, "
        "lint counts the slots along the path; otherwise it simulates the first rounds. If the "
        "number of slots is unknown, a bulk store is reported only if the loop has no "
        "wait_group. Lint also reports a write to what a bulk copy to another CTA reads, with no "
        "wait but barriers of the own CTA in between; and a tensor map in global memory that a "
        "thread overwrites while a tensor copy that it issued may still read it, with no wait at "
        "all in between.\n"
        "Not reported: addresses that cannot be followed; anything after a call; a thread that "
        "another signal may have released; a path that skips a wait or a commit by a branch that "
        "the issuing thread perhaps never takes.",
    .find = bulk_source_reused_find,
};
