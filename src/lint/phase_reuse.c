/* The code phase-reuse: a loop arms the same mbarrier in each iteration, or refills the stage for
 * which the mbarrier signals, and nothing in the loop waits until the threads that wait for this
 * mbarrier have passed it.
 *
 *     loop: arrive.expect_tx [full]; copy …, [full]; bra loop                       broken
 *     loop: try_wait [empty]; arrive.expect_tx [full]; copy …, [full]; bra loop     right
 *
 * A thread that waits for an mbarrier and then arrives at others passes the completion of the phase
 * on; a wait for any of these mbarriers counts. If a call, a flag, a barrier or another CTA may
 * take part, nothing is reported. If the loop waits for nothing at all, an arrive that completes a
 * phase is reported, too. */
#include "base/intern.h"
#include "base/intervals.h"
#include "base/sorted.h"
#include "lint/arrays.h"
#include "lint/first_round.h"
#include "lint/handover.h"
#include "lint/mbarriers.h"
#include "lint/op_neighbours.h"
#include "lint/peer.h"
#include "lint/phase_skips.h"
#include "lint/refill_unwaited.h"
#include "lint/ring_ends.h"
#include "lint/ring_rounds.h"
#include "lint/round_loop.h"
#include "lint/walk.h"
#include "value/barriers.h"
#include "value/conditions.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"

/* The waits for one kind of mbarrier, as indices of uses. */
struct waits {
    uint32_t *at, count;
    bool known, counted; /* they were listed; `arrivals` is known */
    uint32_t passed;     /* the call of is_told that has passed over them */
    int64_t arrivals;    /* arrivals_of_phase, of the mbarrier */
};

struct search {
    struct lint *lint;
    const struct barrier_use *armed;
    struct round_loop loop; /* around the armed use */
    uint64_t *news; /* a bit set of the uses of mbarriers: the signal passes on the completion of
                       the armed phase */
    bool *told;     /* by use of an mbarrier: a wait for such a signal */
    bool outside;   /* see is_told */
    struct waits *waits;           /* by kind of an mbarrier: see waits_of */
    uint32_t asked;                /* the calls of is_told so far */
    uint32_t *orders, order_count; /* the waits, and what is_opaque_order holds for */
    uint32_t *new_signals;         /* the uses with news, in the order in which they were found */
    uint32_t new_count;
    bool *counts;          /* by use of an mbarrier: wait_counts, if it is in the loop */
    struct ring_end *ends; /* see ring_ends.h */
    uint64_t **behind; /* by use of an mbarrier that is a wait: a bit set of the arrivals after it;
                          NULL: not computed yet */
    uint32_t *joins, join_count; /* the instructions bar and barrier */
    uint32_t *first;             /* by index in joins: the first one with the same number */
    bool *met;                   /* by index in joins: scratch */
    struct phase_skips skips;    /* to be simulated */
    bool *asked_loop;            /* by block: it is in the loop of the last leaves_out_wait */
    bool leaves_out;             /* the answer for that loop */
};

/* The number of arrivals that complete a phase of the mbarrier of the use; 0: unknown. */
static int64_t arrivals_of_phase(const struct search *s, const struct barrier_use *at)
{
    const struct lint *lint = s->lint;
    struct waits *of = &s->waits[mbarriers_kind(lint, at)];
    int64_t count = 0;
    if (of->counted) return of->arrivals;
    for (uint32_t i = UINT32_MAX;
         (i = barriers_next_init(lint->subject, at, i)) < lint->subject->barriers->count;) {
        const struct barrier_use *use = &lint->subject->barriers->uses[i];
        if (!ring_ends_may_be_same(lint, s->ends, use, at)) continue;
        if (arrays_likely_others(lint, use, at)) continue;
        int64_t counted = mbarriers_counted(lint, use);
        count = count && count != counted ? 0 : counted;
        if (!count) break;
    }
    of->counted = true;
    return of->arrivals = count;
}

/* ---- which waits pass the completion of a phase on ---- */

static bool is_phase_arrival(const struct barrier_use *use)
{
    return use->kind != BARRIER_WAIT && use->kind != BARRIER_INIT && use->kind != BARRIER_INVAL &&
           use->kind != BARRIER_EXPECT;
}

static void mark_arrival(const struct search *s, uint32_t use, uint64_t *behind)
{
    bool arrives = is_phase_arrival(&s->lint->subject->barriers->uses[use]);
    behind[use / 64] |= (uint64_t)arrives << (use % 64);
}

/* Marks the arrivals in the blocks of s->loop.reached. */
static void mark_reached(const struct search *s, uint64_t *behind)
{
    const struct barriers *barriers = s->lint->subject->barriers;
    lint_spend(s->lint, barriers->count);
    for (uint32_t i = 0; i < barriers->count; i++)
        if (s->loop.reached[s->lint->cfg->block_of[barriers->uses[i].instr]])
            mark_arrival(s, i, behind);
}

/* Marks the arrivals after the instruction in its block. */
static void mark_in_block(const struct search *s, uint32_t instr, uint64_t *behind)
{
    const struct barriers *barriers = s->lint->subject->barriers;
    uint32_t block = s->lint->cfg->block_of[instr], end = s->lint->cfg->blocks[block].end;
    if (s->loop.reached[block]) return; /* all of them are marked */
    lint_spend(s->lint, (end - instr) / 8);
    for (uint32_t i = instr + 1; i < end; i++)
        if (barriers->place[i]) mark_arrival(s, barriers->place[i] - 1, behind);
}

/* Marks the joins that are in a loop with the wait, for all joins with the same number at the first
 * of them. */
static void find_met(struct search *s)
{
    const struct cfg *cfg = s->lint->cfg;
    lint_spend(s->lint, s->join_count);
    memset(s->met, 0, s->join_count * sizeof *s->met);
    for (uint32_t i = 0; i < s->join_count; i++) {
        uint32_t at = cfg->block_of[s->joins[i]];
        s->met[s->first[i]] |= s->loop.reached[at] && s->loop.other[at];
    }
}

/* The number of words of a bit set of the uses of mbarriers. */
static uint32_t words_of_uses(const struct search *s)
{
    return s->lint->subject->barriers->count / 64 + 1;
}

/* Gives the set of a wait to the other waits that are in a loop with it: each reaches what the
 * others do. */
static void share_behind(struct search *s, uint32_t wait)
{
    const struct barriers *barriers = s->lint->subject->barriers;
    const uint32_t *block_of = s->lint->cfg->block_of;
    if (!s->loop.reached[block_of[barriers->uses[wait].instr]]) return;
    lint_spend(s->lint, barriers->count / 8);
    for (uint32_t i = 0; i < barriers->count; i++) {
        uint32_t block = block_of[barriers->uses[i].instr];
        if (barriers->uses[i].kind == BARRIER_WAIT && !s->behind[i] && s->loop.reached[block] &&
            s->loop.other[block])
            s->behind[i] = s->behind[wait];
    }
}

/* A bit set of the arrivals that a thread may reach after the wait, and the arrivals
 * after a barrier at which the thread synchronises with others in each iteration. */
static const uint64_t *behind_of(struct search *s, uint32_t wait)
{
    const struct lint *lint = s->lint;
    uint64_t **behind = &s->behind[wait];
    uint32_t instr = lint->subject->barriers->uses[wait].instr, block = lint->cfg->block_of[instr];
    if (*behind) return *behind;
    *behind = arena_alloc(lint->arena, words_of_uses(s), sizeof **behind);
    round_loop_clear(&s->loop, s->loop.reached);
    round_loop_clear(&s->loop, s->loop.other);
    round_loop_reach(&s->loop, block, false, NULL, s->loop.reached);
    round_loop_reach(&s->loop, block, true, NULL, s->loop.other);
    share_behind(s, wait);
    find_met(s);
    for (uint32_t i = 0; i < s->join_count; i++)
        if (s->met[s->first[i]])
            round_loop_reach(&s->loop, lint->cfg->block_of[s->joins[i]], false, NULL,
                             s->loop.reached);
    mark_reached(s, *behind);
    mark_in_block(s, instr, *behind);
    for (uint32_t i = 0; i < s->join_count; i++)
        if (s->met[s->first[i]]) mark_in_block(s, s->joins[i], *behind);
    return *behind;
}

static void add_news(struct search *s, uint32_t signal)
{
    s->news[signal / 64] |= 1ULL << (signal % 64);
    s->new_signals[s->new_count++] = signal;
}

static void pass_on_news(struct search *s, uint32_t wait)
{
    const uint64_t *behind = behind_of(s, wait);
    lint_spend(s->lint, words_of_uses(s));
    for (uint32_t w = 0; w < words_of_uses(s); w++)
        for (uint64_t more = behind[w] & ~s->news[w]; more; more &= more - 1)
            add_news(s, w * 64 + (uint32_t)__builtin_ctzll(more));
}

/* The waits that may be for the mbarrier of the signal. */
static struct waits *waits_of(struct search *s, const struct barrier_use *signal)
{
    const struct barriers *barriers = s->lint->subject->barriers;
    struct waits *waits = &s->waits[mbarriers_kind(s->lint, signal)];
    struct item_list found = {0};
    if (waits->known) return waits;
    waits->known = true;
    for (uint32_t i = UINT32_MAX;
         (i = barriers_next_alike(s->lint->subject, signal, i)) < barriers->count;)
        if (barriers->uses[i].kind == BARRIER_WAIT &&
            ring_ends_may_be_same(s->lint, s->ends, signal, &barriers->uses[i]))
            vec_push(&found, i);
    waits->at = arena_room(s->lint->arena, found.count, sizeof *waits->at);
    waits->count = found.count;
    if (found.count) memcpy(waits->at, found.at, found.count * sizeof *waits->at);
    vec_free(&found);
    return waits;
}

/* The wait in the loop is for a ring whose stages are all free at first: it lets several iterations
 * pass, so it does not protect a single mbarrier. */
static bool lets_rounds_pass(const struct search *s, const struct barrier_use *wait)
{
    return wait->indexed && !value_is_none(wait->object) &&
           first_round_passes(s->lint, wait->instr) &&
           !first_round_begins_anew(s->lint, wait, s->loop.blocks);
}

/* A wait that counts is for a signal that passes on the completion of the armed phase. No thread
 * passes it on after a wait in the loop that lets rounds pass or, with s->outside, any wait in the
 * loop. */
static bool is_told(struct search *s)
{
    const struct barriers *barriers = s->lint->subject->barriers;
    memset(s->news, 0, words_of_uses(s) * sizeof *s->news);
    memset(s->told, 0, barriers->count * sizeof *s->told);
    s->new_count = 0;
    s->asked++;
    add_news(s, (uint32_t)(s->armed - barriers->uses));
    for (uint32_t n = 0; n < s->new_count; n++) {
        struct waits *waits = waits_of(s, &barriers->uses[s->new_signals[n]]);
        if (waits->passed == s->asked) continue;
        waits->passed = s->asked;
        lint_spend(s->lint, waits->count / 8);
        for (uint32_t k = 0; k < waits->count; k++) {
            uint32_t i = waits->at[k];
            if (s->told[i]) continue;
            if (s->counts[i]) return true;
            s->told[i] = true;
            bool own = s->loop.blocks[s->lint->cfg->block_of[barriers->uses[i].instr]];
            bool passes = !s->armed->indexed && lets_rounds_pass(s, &barriers->uses[i]);
            if (!own || !(s->outside || passes)) pass_on_news(s, i);
        }
    }
    return false;
}

/* ---- waits in the loop ---- */

/* The instruction may order the iterations in a way that this analysis does not follow. */
static bool is_opaque_order(const struct lint *lint, uint32_t i)
{
    enum effect effect = lint_effect(lint, i);
    struct str base = instruction_base(lint->subject, i);
    if (effect == EFFECT_CALL || instruction_joins_warps(lint->subject, i)) return true;
    if (effect == EFFECT_ACQUIRE_MEMORY) return true;
    if (effect != EFFECT_BOTH_MEMORY) return false;
    return !str_is(base, "fence") && !str_is(base, "elect") && !str_is(base, "shfl") &&
           !str_is(base, "clusterlaunchcontrol");
}

static bool is_wait(const struct barrier_use *use)
{
    return use && use->kind == BARRIER_WAIT;
}

/* On the first call. */
static void list_orders(struct search *s)
{
    const struct lint *lint = s->lint;
    uint32_t count = lint->function->notable_count;
    if (s->orders) return;
    s->orders = arena_room(lint->arena, count, sizeof *s->orders);
    lint_spend(lint, count);
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = lint->function->notable[n];
        if (is_opaque_order(lint, i) || is_wait(barriers_at(lint->subject, i)))
            s->orders[s->order_count++] = i;
    }
}

/* If the wait in the loop is for a signal that follows the armed phase, it shows that `waiter` has
 * passed this phase. */
static bool wait_counts(const struct search *s, const struct barrier_use *wait, uint32_t waiter)
{
    if (barriers_same(wait, s->armed) &&
        condition_pairs_other_warp(s->lint->subject, wait->instr, waiter))
        return false; /* the wait shows that the phase is complete, but not that the other warp has
                         passed its wait */
    return s->armed->indexed || !lets_rounds_pass(s, wait);
}

/* Waits in the loop order its rounds. waiter: NO_INSTR if any wait does. */
static bool is_ordered(struct search *s, uint32_t waiter)
{
    const struct lint *lint = s->lint;
    const struct barriers *barriers = lint->subject->barriers;
    bool any = false;
    list_orders(s);
    lint_spend(lint, s->order_count);
    memset(s->counts, 0, barriers->count * sizeof *s->counts);
    for (uint32_t n = 0; n < s->order_count; n++) {
        uint32_t i = s->orders[n];
        if (!s->loop.blocks[lint->cfg->block_of[i]]) continue;
        const struct barrier_use *use = barriers_at(lint->subject, i);
        if (!is_wait(use) || is_opaque_order(lint, i)) return true;
        if (waiter == NO_INSTR) return true;
        if (!wait_counts(s, use, waiter)) continue;
        any = s->counts[use - barriers->uses] = true;
    }
    return any && is_told(s);
}

/* The address contains a register that is incremented and reset to a constant: the loop reaches the
 * same mbarrier again. */
static bool comes_round(const struct lint *lint, uint32_t base, uint32_t depth)
{
    const struct expr e = *value_expr(lint->subject, (struct value){base, 0});
    uint32_t last;
    if (!base || e.fixed || depth == 8) return false;
    if (e.kind == EXPR_REG && value_definitions(lint->subject, e.web, &last) > 1) {
        struct value v = value_computed(lint->subject, last);
        const struct expr *by = value_is_none(v) ? NULL : value_expr(lint->subject, v);
        return by && by->kind == EXPR_SELECT && (!by->a[0].base || !by->a[1].base);
    }
    for (int i = 0; i < 3; i++)
        if (comes_round(lint, e.a[i].base, depth + 1)) return true;
    return false;
}

/* ---- the report ---- */

/* After the wait, another warp may reach an access to the columns that the operation writes. */
static bool is_read_behind(const struct search *s, uint32_t waiter, const struct tensor_op *op)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    struct condition_set own = conditions_of(lint->subject, op->instr);
    bool ring = s->armed->indexed;
    struct op_list near = ring ? (struct op_list){NULL, all->op_count} : op_neighbours(lint, op);
    lint_spend(lint, near.count);
    for (uint32_t i = 0; i < near.count; i++) {
        const struct tensor_op *other = &all->ops[ring ? i : near.at[i]];
        struct condition_set set = conditions_of(lint->subject, other->instr);
        if ((ring ? handover_likely_conflict(lint, op, other)
                  : handover_conflict(lint, op, other)) &&
            conditions_other_warp(lint->subject, &own, &set) &&
            handover_reaches(lint, waiter, other->instr))
            return true;
    }
    return false;
}

/* The place to report: where the loop begins to overwrite the data of the armed mbarrier; otherwise
 * where it arms the mbarrier again. */
static uint32_t place_of(const struct search *s, uint32_t waiter)
{
    const struct lint *lint = s->lint;
    bool commit = s->armed->kind == BARRIER_COMMIT, arrive = s->armed->kind == BARRIER_ARRIVE;
    for (uint32_t i = 0; i < lint->handovers->op_count; i++) {
        const struct tensor_op *op = &lint->handovers->ops[i];
        enum effect effect = lint_effect(lint, op->instr);
        if (op->instr > s->armed->instr) break;
        if (!s->loop.blocks[lint->cfg->block_of[op->instr]]) continue;
        if (!(commit && effect_is_pipe(effect)) && !(arrive && effect == EFFECT_ASYNC_ST)) continue;
        return is_read_behind(s, waiter, op) ? op->instr : s->armed->instr;
    }
    return s->armed->instr;
}

static uint32_t waiter_of(const struct search *s)
{
    const struct barriers *barriers = s->lint->subject->barriers;
    for (uint32_t i = 0; i < barriers->count; i++) {
        const struct barrier_use *use = &barriers->uses[i];
        if (use->kind == BARRIER_WAIT && barriers_same(use, s->armed) &&
            !s->loop.blocks[s->lint->cfg->block_of[use->instr]])
            return use->instr;
    }
    return NO_INSTR;
}

static void phase_reuse_report(struct search *s, uint32_t waiter)
{
    lint_report(
        s->lint,
        (struct hazard){&lint_phase_reuse, LINT_WARNING, place_of(s, waiter), waiter,
                        "the loop begins a phase[ of an mbarrier, or refills its stage,] although "
                        "%s may still wait for the previous phase[: no wait shows that it has "
                        "returned]",
                        "before the next round arms, commits or overwrites, wait here for a "
                        "second mbarrier, at which the waiting threads arrive after %s",
                        NULL, 0, NULL});
}

/* The armed use is an arrive of each thread of a warpgroup, which completes a whole phase, or
 * something asynchronous follows it or is tracked by it. */
static bool counts_as_phase(const struct search *s)
{
    enum { WARPGROUP = 128 };
    const struct barrier_use *use = s->armed;
    if (use->kind != BARRIER_ARRIVE)
        return use->kind == BARRIER_ARRIVE_EXPECT || use->kind == BARRIER_COMMIT;
    struct condition_set set = conditions_of(s->lint->subject, use->instr);
    return arrivals_of_phase(s, use) == WARPGROUP && !conditions_one_lane(s->lint->subject, &set);
}

/* Some wait in the loop is left out in some round, and the loop has no order that this analysis
 * does not follow. */
static bool find_skipped_wait(struct search *s)
{
    const struct lint *lint = s->lint;
    bool any = false;
    list_orders(s);
    lint_spend(lint, s->loop.member_count);
    for (uint32_t m = 0; m < s->loop.member_count; m++) {
        if (!s->loop.blocks[s->loop.members[m]]) continue;
        const struct block *block = &lint->cfg->blocks[s->loop.members[m]];
        uint32_t n = sorted_find(s->orders, 0, s->order_count, block->first);
        for (; n < s->order_count && s->orders[n] < block->end; n++) {
            if (is_opaque_order(lint, s->orders[n])) return false;
            if (!any) any = round_loop_leaves_out(&s->loop, s->orders[n]);
        }
    }
    return any;
}

/* As find_skipped_wait, which is asked once for the uses of one loop after the other. */
static bool leaves_out_wait(struct search *s)
{
    size_t size = s->lint->cfg->count * sizeof *s->asked_loop;
    if (!s->asked_loop)
        s->asked_loop = arena_alloc(s->lint->arena, s->lint->cfg->count, sizeof *s->asked_loop);
    lint_spend(s->lint, s->lint->cfg->count / 64);
    if (memcmp(s->asked_loop, s->loop.blocks, size) != 0) {
        memcpy(s->asked_loop, s->loop.blocks, size);
        s->leaves_out = find_skipped_wait(s);
    }
    return s->leaves_out;
}

/* Some wait of the loop shows that the armed phase was seen. */
static bool is_told_in_loop(const struct search *s)
{
    const struct barriers *barriers = s->lint->subject->barriers;
    for (uint32_t i = 0; i < barriers->count; i++)
        if (s->told[i] && s->loop.blocks[s->lint->cfg->block_of[barriers->uses[i].instr]])
            return true;
    return false;
}

/* Adds the armed use to those that are simulated if rounds may skip the wait for who saw the last
 * phase. */
static void watch_rounds(struct search *s)
{
    const struct barriers *barriers = s->lint->subject->barriers;
    uint32_t block = s->lint->cfg->block_of[s->armed->instr], waiter;
    if (s->armed->kind == BARRIER_ARRIVE || s->skips.count == PHASE_SKIPS_MAX) return;
    if (!s->loop.in_any[block] || !round_loop_find(&s->loop, block)) return;
    if (!leaves_out_wait(s)) return;
    if ((waiter = waiter_of(s)) == NO_INSTR) return;
    if (!condition_pairs_other_warp(s->lint->subject, s->armed->instr, waiter)) return;
    memset(s->counts, 0, barriers->count * sizeof *s->counts);
    s->outside = true;
    (void)is_told(s);
    s->outside = false;
    if (!is_told_in_loop(s)) return;
    bool *told = arena_alloc(s->lint->arena, barriers->count, sizeof *told);
    memcpy(told, s->told, barriers->count * sizeof *told);
    s->skips.at[s->skips.count++] = (struct phase_skip){s->armed, waiter, told, 0, 0, NO_INSTR};
}

/* A wait that is for another phase in each round. NULL: there is none. */
static const struct barrier_use *wait_in_rounds(const struct search *s,
                                                const struct barrier_use *arrive)
{
    const struct subject *subject = s->lint->subject;
    const struct barrier_use *listed = barriers_listed(subject, arrive);
    for (uint32_t i = listed ? barriers_next_alike(subject, listed, UINT32_MAX) : 0;
         i < subject->barriers->count;
         i = listed ? barriers_next_alike(subject, listed, i) : i + 1) {
        const struct barrier_use *use = &subject->barriers->uses[i];
        lint_spend(s->lint, 1);
        if (use->kind == BARRIER_WAIT && barriers_same(use, arrive) &&
            !value_is_fixed(subject, value_of_operand(subject, use->instr, 2)))
            return use;
    }
    return NULL;
}

/* The loop may only fill the ring for the first time: another use behind it goes on. */
static bool goes_on_behind(const struct search *s)
{
    const struct barriers *barriers = s->lint->subject->barriers;
    const struct barrier_use *armed = s->armed;
    for (uint32_t i = UINT32_MAX;
         (i = barriers_next_alike(s->lint->subject, armed, i)) < barriers->count;) {
        const struct barrier_use *use = &barriers->uses[i];
        lint_spend(s->lint, 1);
        if (use->kind == armed->kind && barriers_same(use, armed) &&
            !s->loop.blocks[s->lint->cfg->block_of[use->instr]] &&
            handover_reaches(s->lint, armed->instr, use->instr))
            return true;
    }
    return false;
}

/* The loop that was found arms the same mbarrier again, or the outermost one around it, which then
 * counts as found. */
static bool arms_again(struct search *s)
{
    const struct barrier_use *use = s->armed;
    if (!ring_rounds_go_on(s->lint, use, s->loop.blocks)) {
        enum truth wraps = ring_rounds_wrap(s->lint, use, s->loop.blocks);
        if (wraps != TRUTH_UNKNOWN) return wraps == TRUTH_YES;
    } else if (!round_loop_widen(&s->loop) || round_loop_leaves_out(&s->loop, use->instr)) {
        return false;
    }
    return ring_rounds_may_turn(s->lint, use->address.base, s->loop.blocks) &&
           wait_in_rounds(s, use) && !goes_on_behind(s);
}

static void check_armed(struct search *s)
{
    const struct barrier_use *use = s->armed;
    uint32_t block = s->lint->cfg->block_of[use->instr];
    if (!value_is_fixed(s->lint->subject, value_of_guard(s->lint->subject, use->instr))) return;
    bool resets = !use->indexed || comes_round(s->lint, use->address.base, 0);
    if (!resets && !round_loop_comes_back(&s->loop, block)) return;
    if (!s->loop.in_any[block] || !round_loop_find(&s->loop, block) ||
        round_loop_leaves_out(&s->loop, use->instr))
        return;
    if (!resets && !arms_again(s)) return;
    uint32_t waiter = waiter_of(s);
    if (waiter == NO_INSTR) return;
    if (!is_ordered(s, waiter)) phase_reuse_report(s, waiter);
}

/* Reports an arrive that ends a phase in each round of a loop in which the thread never waits. The
 * mbarrier may be in another CTA. */
static void check_unheld(struct search *s)
{
    const struct subject *subject = s->lint->subject;
    const struct barrier_use *arrive = s->armed;
    uint32_t block = s->lint->cfg->block_of[arrive->instr];
    if (arrive->kind != BARRIER_ARRIVE || !s->loop.in_any[block]) return;
    if (!value_is_fixed(subject, arrive->address) ||
        !value_is_fixed(subject, value_of_guard(subject, arrive->instr)) ||
        instruction_has(subject, arrive->instr, ".noComplete"))
        return;
    struct barrier_use own = peer_use_as_own(s->lint, arrive);
    const struct barrier_use *wait = value_is_none(own.object) ? NULL : wait_in_rounds(s, &own);
    if (!wait || !round_loop_comes_back(&s->loop, block)) return;
    int64_t count = arrivals_of_phase(s, wait); /* named as in its own CTA */
    if (count != 1 || !round_loop_find(&s->loop, block) ||
        round_loop_leaves_out(&s->loop, arrive->instr))
        return;
    if (!is_ordered(s, NO_INSTR)) phase_reuse_report(s, wait->instr);
}

static void find_numbers(struct search *s)
{
    struct intern numbers = {0};
    uint32_t *firsts = arena_alloc(s->lint->arena, s->join_count, sizeof *firsts);
    s->first = arena_alloc(s->lint->arena, s->join_count, sizeof *s->first);
    for (uint32_t i = 0; i < s->join_count; i++) {
        uint32_t count = numbers.count;
        uint32_t number =
            intern_add(&numbers, 0, instruction_operand(s->lint->subject, s->joins[i], 0));
        if (number == count) firsts[number] = i;
        s->first[i] = firsts[number];
    }
    intern_free(&numbers);
}

/* ---- two phases in one iteration ---- */

static enum walk_does look_for_another(void *context, const struct lint *lint, uint32_t instr,
                                       unsigned *state)
{
    const struct barrier_use *first = context, *use = barriers_at(lint->subject, instr);
    (void)state;
    if (!use || (use->kind != BARRIER_COMMIT && use->kind != BARRIER_ARRIVE_EXPECT))
        return effect_is_release(lint_effect(lint, instr)) ? WALK_ON : WALK_END;
    if (instr == first->instr) return WALK_END;
    return barriers_same(first, use) && !use->indexed ? WALK_FOUND : WALK_ON;
}

/* Reports a thread that completes two phases of a single mbarrier and does not wait in between. */
static void ask_for_another(struct search *s)
{
    const struct barrier_use *use = s->armed;
    struct lint *lint = s->lint;
    struct walk_path path;
    uint32_t interest = 1 << EFFECT_COMMIT | 1 << EFFECT_RELEASE_BARRIER |
                        1 << EFFECT_ACQUIRE_BARRIER | 1 << EFFECT_ACQUIRE_MEMORY |
                        1 << EFFECT_BOTH_BARRIER | 1 << EFFECT_BOTH_MEMORY | 1 << EFFECT_CALL;
    if (use->indexed || use->kind == BARRIER_ARRIVE || arrivals_of_phase(s, use) != 1) return;
    if (!walk_find(lint, use->instr, 0, interest, look_for_another, (void *)use, &path)) return;
    if (path.vague || round_loop_may_skip_last(lint, &path)) return;
    lint_report(
        lint,
        (struct hazard){&lint_phase_reuse, LINT_WARNING, path.found, use->instr,
                        "[this ends another phase of an mbarrier that counts one arrival: ]no "
                        "thread is known to have waited for the phase that %s ends",
                        "use another mbarrier, or count both arrivals, or wait after "
                        "%s for an mbarrier at which the threads that waited for the phase arrive",
                        path.instrs, path.count, NULL});
}

static void find_joins(struct search *s)
{
    const struct lint *lint = s->lint;
    const struct subject *subject = lint->subject;
    s->joins = arena_room(lint->arena, subject->acting_count, sizeof *s->joins);
    for (uint32_t n = 0; n < subject->acting_count; n++)
        if (instruction_joins_warps(subject, subject->acting[n]))
            s->joins[s->join_count++] = subject->acting[n];
    s->met = arena_alloc(lint->arena, s->join_count, sizeof *s->met);
    find_numbers(s);
}

static void phase_reuse_find(struct lint *lint)
{
    const struct barriers *barriers = lint->subject->barriers;
    struct search s = {.lint = lint};
    round_loop_begin(&s.loop, lint);
    find_joins(&s);
    s.waits = arena_alloc(lint->arena, mbarriers_kinds(lint), sizeof *s.waits);
    s.behind = arena_alloc(lint->arena, barriers->count, sizeof *s.behind);
    s.news = arena_alloc(lint->arena, words_of_uses(&s), sizeof *s.news);
    s.told = arena_alloc(lint->arena, barriers->count, sizeof *s.told);
    s.counts = arena_alloc(lint->arena, barriers->count, sizeof *s.counts);
    s.new_signals = arena_alloc(lint->arena, barriers->count, sizeof *s.new_signals);
    s.ends = ring_ends_new(lint);
    for (uint32_t i = 0; i < barriers->count; i++) {
        s.armed = &barriers->uses[i];
        if (!is_phase_arrival(s.armed) || s.armed->kind == BARRIER_COPY) continue;
        check_unheld(&s);
        if (value_is_none(s.armed->object) || s.armed->remote || !counts_as_phase(&s)) continue;
        check_armed(&s);
        ask_for_another(&s);
        watch_rounds(&s);
    }
    phase_skips_report(lint, &lint_phase_reuse, &s.skips);
    refill_unwaited_report(lint, &lint_phase_reuse);
    round_loop_end(&s.loop);
}

const struct lint_code lint_phase_reuse = {
    .id = "phase-reuse",
    .section = "9.7.16.6.4.4",
    .summary = "an mbarrier is armed, or a stage refilled, before a wait has shown that the last "
               "use is over",
    .sentence =
        "the producer threads that issue the asynchronous `tcgen05` instructions must explicitly "
        "wait for the instructions’ completion before synchronizing with the consumer threads.",
    .risk = "a late thread waits for a phase that is over already, or uses the data of the next "
            "round",
    .explanation =
        "Broken:  loop: mbarrier.arrive.expect_tx [full]; cp.async.bulk … [full]; bra loop\n"
        "Right:   loop: mbarrier.try_wait [empty]; mbarrier.arrive.expect_tx [full]; …\n"
        "If a loop arrives at the same mbarrier in every round, it must also wait for a second "
        "mbarrier. A thread that has waited for the first must arrive at the second, directly, "
        "or through other threads that wait and arrive. The wait for a free stage of a ring of "
        "several stages does not protect an mbarrier that is the same in every round, since it "
        "returns at once in the first rounds. A wait of the same thread for the first mbarrier "
        "does not count either, if another warp also waits for the first. A thread that issues "
        "both an mma and the copies must wait for a commit after the mma before it refills the "
        "stage; the rounds that fill each stage for the first time need no such wait. A loop "
        "over a ring must wait for a second mbarrier, too, if its index is set back, masked or a "
        "remainder, and the threads that wait for the ring do so for several phases; not if "
        "constants show that the loop has no more rounds than the ring has mbarriers. "
        "An arrive that alone completes a phase is reported if its loop has no wait at all; its "
        "mbarrier may be in another CTA. What a loop overwrites is also reported if its readers "
        "arrive at an mbarrier that no thread waits for. If rounds skip the wait, the first rounds "
        "are simulated: two arrivals of one thread with no such wait in between are reported, or "
        "only one that returns at once, because its mbarrier is new and its parity is 1. Not "
        "reported: rounds that may skip the arrive; loops that fill a ring for another loop behind "
        "them; loops with "
        "a barrier, a flag or a call; an arrive.expect_tx or a commit at another CTA's mbarrier.",
    .find = phase_reuse_find,
};
