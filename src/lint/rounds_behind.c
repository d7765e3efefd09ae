/* Counts how many rounds a load and the operation that overwrites its columns are apart. In round k
 * of its loop a thread waits for arrivals that another role gives in round k - d of its own loop,
 * and then executes the operation. So it knows that the loads before these arrivals are complete,
 * but of a load behind them only that of round k - d - 1. See rounds_behind.h. */
#include "lint/rounds_behind.h"

#include "base/vec.h"
#include "lint/first_round.h"
#include "lint/op_neighbours.h"
#include "lint/readers.h"
#include "lint/round_late.h"
#include "lint/round_loop.h"
#include "value/instruction.h"

/* At most so many pairs of a load and a write are examined. */
enum { PAIRS_MAX = 64 };

/* A number of rounds; UNCLEAR: not known. */
enum { UNCLEAR = INT32_MAX };

struct rounds_search {
    struct lint *lint;
    struct round_loop loops[2];  /* those found last: mostly one of each role */
    uint32_t last;               /* the index of the one that was found last */
    uint32_t load, write;        /* instructions of two roles */
    const struct handover *wait; /* before the load: see wait_for_write */
};

static bool comes_back(const struct lint *lint, uint32_t instr)
{
    return handover_reaches(lint, instr, instr);
}

/* The two are in one loop. */
static bool are_in_loop(const struct lint *lint, uint32_t a, uint32_t b)
{
    return handover_reaches(lint, a, b) && handover_reaches(lint, b, a);
}

/* Each thread that executes a executes b before, from the beginning on. */
static bool is_prior(const struct lint *lint, uint32_t b, uint32_t a)
{
    return !round_reaches_without(lint, NO_INSTR, a, b);
}

/* The loop found last that has the block; otherwise the one that was found before the last. */
static struct round_loop *loop_with(struct rounds_search *s, uint32_t block)
{
    if (!s->loops[s->last].blocks[block]) s->last = !s->last;
    return &s->loops[s->last];
}

/* Each round of the smallest loop around the one also executes the other, once. */
static bool is_each_round(struct rounds_search *s, uint32_t instr, uint32_t with)
{
    const uint32_t *block_of = s->lint->cfg->block_of;
    struct round_loop *loop = loop_with(s, block_of[with]);
    return value_is_fixed(s->lint->subject, value_of_guard(s->lint->subject, instr)) &&
           round_loop_find(loop, block_of[with]) && loop->blocks[block_of[instr]] &&
           round_loop_find(loop, block_of[instr]) && loop->blocks[block_of[with]] &&
           !round_loop_leaves_out(loop, instr);
}

/* ---- the parity of a wait ---- */

/* One instruction of the loop changes the lowest bit of the register, once in each round. */
static bool register_flips(const struct lint *lint, struct value v, uint32_t web, uint32_t anchor)
{
    uint32_t inside = 0;
    for (uint32_t write = value_last_write(lint->subject, web); write != NO_WRITE;
         write = value_write_before(lint->subject, write)) {
        uint32_t at = value_write_instr(lint->subject, write);
        struct value to = value_computed(lint->subject, at);
        lint_spend(lint, 1);
        if (!are_in_loop(lint, at, anchor)) continue;
        if (value_is_none(to) || inside++ || round_reaches_without(lint, anchor, anchor, at) ||
            round_reaches_without(lint, at, at, anchor))
            return false;
        const struct expr *e = value_expr(lint->subject, to);
        bool adds = to.base == v.base && (to.offset & 1);
        bool inverts = e->kind == EXPR_OP && e->spelling < SPELLING_MAPPED &&
                       str_starts(lint->subject->spelled[e->spelling]->opcode, "xor.b") &&
                       (e->a[0].base == v.base || e->a[1].base == v.base);
        if (!adds && !inverts) return false;
    }
    return inside == 1;
}

/* The parity is another one in each round: of a register, or of what xor and and leave of its
 * lowest bit. */
static bool parity_flips(const struct lint *lint, struct value v, uint32_t anchor, uint32_t depth)
{
    if (value_is_none(v) || !v.base || depth == 4) return false;
    const struct expr e = *value_expr(lint->subject, v);
    if (e.kind == EXPR_REG) return register_flips(lint, (struct value){v.base, 0}, e.web, anchor);
    if (e.kind != EXPR_OP || e.spelling == SPELLING_SHIFT_RIGHT || e.spelling == SPELLING_MAPPED)
        return false;
    bool masks = e.spelling == SPELLING_AND;
    if (!masks && !str_starts(lint->subject->spelled[e.spelling]->opcode, "xor.b")) return false;
    for (int i = 0; i < 2; i++)
        if (value_is_constant(e.a[i]) && (!masks || (e.a[i].offset & 1)))
            return parity_flips(lint, e.a[1 - i], anchor, depth + 1);
    return false;
}

/* How many phases the wait is behind the rounds of the loop around the anchor, which come to it
 * each time: 1 if it passes at once in the first round. */
static int32_t phases_behind(const struct lint *lint, const struct handover *wait, uint32_t anchor)
{
    if (wait->use->indexed || value_is_none(wait->use->object) ||
        lint->function->instrs[wait->instr].guard != REG_NONE ||
        round_reaches_without(lint, anchor, anchor, wait->instr) ||
        !parity_flips(lint, value_of_operand(lint->subject, wait->instr, 2), anchor, 0))
        return UNCLEAR;
    int parity = first_round_parity(lint, wait->instr);
    return parity < 0 ? UNCLEAR : parity;
}

/* The only signal for the wait, if no other wait may be for it; NULL: there are others. */
static const struct handover *only_signal(const struct lint *lint, const struct handover *wait)
{
    const struct handovers *all = lint->handovers;
    const struct handover_list *signals = handover_signals(lint, (uint32_t)(wait - all->at));
    const struct handover *only = NULL;
    lint_spend(lint, signals->count);
    for (uint32_t i = 0; i < signals->count; i++) {
        const struct handover *signal = &all->at[signals->at[i]];
        if (handover_likely_others(lint, signal, wait)) continue;
        if (only || !handover_meets(lint, signal, wait) || !signal->use || signal->use->remote)
            return NULL;
        only = signal;
    }
    if (!only) return NULL;
    const struct handover_list *waits = handover_waits(lint, (uint32_t)(only - all->at));
    lint_spend(lint, waits->count);
    for (uint32_t i = 0; i < waits->count; i++)
        if (&all->at[waits->at[i]] != wait &&
            !handover_likely_others(lint, only, &all->at[waits->at[i]]))
            return NULL;
    return only;
}

/* ---- one pair ---- */

/* The last wait by which the load of a round comes after the write of the same round, so that the
 * write of the next round overwrites what it loads; NULL: none. */
static const struct handover *wait_for_write(struct rounds_search *s)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    const struct handover_list *waits = handover_waits_before(lint, s->load);
    const struct handover *last = NULL;
    for (uint32_t w = 0; w < waits->count; w++) {
        const struct handover *wait = &all->at[waits->at[w]];
        lint_spend(lint, 1);
        if (wait->channel != CHANNEL_MBARRIER || !are_in_loop(lint, wait->instr, s->load) ||
            !is_prior(lint, wait->instr, s->load) || phases_behind(lint, wait, s->load))
            continue;
        const struct handover *signal = only_signal(lint, wait);
        if (signal && are_in_loop(lint, signal->instr, s->write) &&
            is_prior(lint, s->write, signal->instr) && is_each_round(s, signal->instr, s->write))
            last = !last || is_prior(lint, last->instr, wait->instr) ? wait : last;
    }
    return last;
}

/* The wait shows that the load of round k - n is complete when the write of round k begins. Returns
 * n, or UNCLEAR; *other: the wait may be for another thread. */
static int32_t rounds_known(struct rounds_search *s, const struct handover *wait, bool *other)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    *other = !handover_waits_behind(lint, s->load, (uint32_t)(wait - all->at));
    const struct handover *signal = *other ? NULL : only_signal(lint, wait);
    /* Without a wait in between, the arrive is for this load too: released-before-read. */
    if (!signal || !are_in_loop(lint, signal->instr, s->load) ||
        round_reaches_without(lint, signal->instr, s->load, s->wait->instr))
        return UNCLEAR;
    int32_t behind = phases_behind(lint, wait, s->write);
    if (behind == UNCLEAR || !is_each_round(s, signal->instr, s->load)) return UNCLEAR;
    return behind + !is_prior(lint, wait->instr, s->write) +
           !is_prior(lint, s->load, signal->instr);
}

/* A third thread may wait for a signal after the load and then signal to the thread of the write.
 */
static bool is_told_by_third(const struct rounds_search *s)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    bool *told = arena_alloc(lint->arena, all->count, sizeof *told), found = false;
    struct VEC(uint32_t) next = {0};
    vec_push(&next, s->load);
    for (uint32_t n = 0; n < next.count && !found; n++) {
        uint32_t from = next.at[n];
        lint_spend(lint, all->count);
        for (uint32_t i = 0; i < all->count && !found; i++) {
            if (!all->at[i].signals || all->at[i].channel == CHANNEL_WARP ||
                !handover_reaches(lint, from, all->at[i].instr))
                continue;
            const struct handover_list *waits = handover_waits(lint, i);
            lint_spend(lint, waits->count);
            for (uint32_t w = 0; w < waits->count; w++) {
                const struct handover *wait = &all->at[waits->at[w]];
                if (told[waits->at[w]] || handover_likely_others(lint, &all->at[i], wait)) continue;
                bool last = are_in_loop(lint, wait->instr, s->write);
                found |= last && n;
                if (last || are_in_loop(lint, wait->instr, s->load)) continue;
                told[waits->at[w]] = true;
                vec_push(&next, wait->instr);
            }
        }
    }
    vec_free(&next);
    return found;
}

/* All waits in front of the write in its loop are understood, and none shows that the load of the
 * last round is complete. */
static bool is_too_early(struct rounds_search *s)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    const struct handover_list *waits = handover_waits_before(lint, s->write);
    bool counted = false;
    s->wait = wait_for_write(s);
    if (!s->wait) return false;
    for (uint32_t w = 0; w < waits->count; w++) {
        const struct handover *wait = &all->at[waits->at[w]];
        lint_spend(lint, 1);
        if (wait->channel == CHANNEL_WARP || !are_in_loop(lint, wait->instr, s->write)) continue;
        if (wait->channel != CHANNEL_MBARRIER) return false;
        bool other;
        int32_t known = rounds_known(s, wait, &other);
        if (other) continue;
        if (known == UNCLEAR || known <= 1) return false;
        counted = true;
    }
    return counted && !is_told_by_third(s);
}

/* ---- all pairs ---- */

static bool is_pair(const struct lint *lint, const struct tensor_op *load,
                    const struct tensor_op *write)
{
    struct value to = value_of_address(lint->subject, write->instr);
    return write->writes && comes_back(lint, write->instr) && value_is_fixed(lint->subject, to) &&
           handover_conflict(lint, load, write) &&
           handover_other_thread(lint, load->instr, write->instr);
}

static bool report_overwriter(struct rounds_search *s, const struct lint_code *code,
                              const struct tensor_op *load, uint32_t *pairs)
{
    struct lint *lint = s->lint;
    struct op_list near = op_neighbours(lint, load);
    const uint32_t *block_of = lint->cfg->block_of;
    uint32_t last = NO_INSTR;
    lint_spend(lint, near.count);
    for (uint32_t i = 0; i < near.count && *pairs < PAIRS_MAX; i++) {
        const struct tensor_op *write = &lint->handovers->ops[near.at[i]];
        if (last != NO_INSTR && block_of[last] == block_of[write->instr]) continue;
        if (!is_pair(lint, load, write)) continue;
        s->load = load->instr;
        s->write = last = write->instr;
        for (int k = 0; k < 2 && !*pairs; k++) round_loop_begin(&s->loops[k], lint);
        (*pairs)++;
        if (!is_too_early(s)) continue;
        lint_report(lint, (struct hazard){code, LINT_WARNING, write->instr, load->instr,
                                          "this overwrites what %s may still load in the round "
                                          "before[: each wait in front of this is for an arrival "
                                          "that comes before that load]",
                                          "wait for an mbarrier at which those threads arrive "
                                          "after %s",
                                          NULL, 0, NULL});
        return true;
    }
    return false;
}

void rounds_behind_report(struct lint *lint, const struct lint_code *code)
{
    const struct handovers *all = lint->handovers;
    struct rounds_search s = {.lint = lint};
    uint32_t pairs = 0;
    if (!handover_of_several_threads(lint)) return;
    for (uint32_t i = 0; i < all->op_count && pairs < PAIRS_MAX; i++) {
        const struct tensor_op *load = &all->ops[i];
        if (lint_effect(lint, load->instr) == EFFECT_ASYNC_LD && comes_back(lint, load->instr) &&
            readers_have_result(lint, load->instr) && report_overwriter(&s, code, load, &pairs))
            break;
    }
    for (int k = 0; k < 2 && pairs; k++) round_loop_end(&s.loops[k]);
}
