/* Looks for a store or copy behind a signal, and for an mma that waits for this signal in each
 * round but for none behind the store. See late_operand.h. */
#include "lint/late_operand.h"

#include "lint/first_round.h"
#include "lint/handover.h"
#include "lint/op_neighbours.h"
#include "lint/round_late.h"
#include "lint/round_loop.h"
#include "lint/walk.h"

/* At most so many pairs of a write and an mma are examined. */
enum { PAIRS_MAX = 64 };

struct late_operand {
    struct lint *lint;
    const struct lint_code *code;
    const struct tensor_op *write; /* a store or copy, in a loop */
    const struct tensor_op *mma;   /* of another thread, in a loop; it reads the columns */
    bool *next; /* by handover: a signal of the writing thread behind the write, and before it waits
                   for a commit of the mma */
    struct round_loop loop; /* around the mma */
    uint32_t examined;      /* pairs */
};

/* The thread may learn of another one at the instruction. */
static bool may_learn_of_another(const struct handover *h)
{
    return h && h->waits && h->channel != CHANNEL_WARP;
}

/* ---- the signals of the writing thread ---- */

/* The wait is for a commit of the mma, and in the first round not for the phase before the first.
 */
static bool waits_for_mma(const struct late_operand *s, const struct handover *wait)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    if (!wait->waits || wait->channel != CHANNEL_MBARRIER) return false;
    const struct handover_list *signals = handover_signals(lint, (uint32_t)(wait - all->at));
    lint_spend(lint, signals->count + 1);
    for (uint32_t i = 0; i < signals->count; i++) {
        const struct handover *signal = &all->at[signals->at[i]];
        if (signal->use && signal->use->kind == BARRIER_COMMIT &&
            handover_likely_meets(lint, signal, wait) &&
            handover_reaches(lint, s->mma->instr, signal->instr))
            return !first_round_passes(lint, wait->instr);
    }
    return false;
}

static enum walk_does look_for_next_signal(void *context, const struct lint *lint, uint32_t instr,
                                           unsigned *state)
{
    struct late_operand *s = context;
    const struct handover *h = handover_at(lint, instr);
    (void)state;
    if (!h) return WALK_ON;
    s->next[h - lint->handovers->at] |= h->signals;
    return waits_for_mma(s, h) ? WALK_END : WALK_ON;
}

/* Sets next. False if there are too many paths. */
static bool find_next_signals(struct late_operand *s)
{
    const struct lint *lint = s->lint;
    struct walk_path path = {0};
    lint_spend(lint, lint->handovers->count / 64 + 1);
    memset(s->next, 0, lint->handovers->count * sizeof *s->next);
    (void)walk_forward(lint, s->write->instr, 0, WALK_HANDOVERS, look_for_next_signal, s, &path);
    return !path.gave_up;
}

static enum walk_does look_for_write(void *context, const struct lint *lint, uint32_t instr,
                                     unsigned *state)
{
    (void)state;
    if (instr == *(const uint32_t *)context) return WALK_FOUND;
    return may_learn_of_another(handover_at(lint, instr)) ? WALK_END : WALK_ON;
}

/* The thread comes from the signal to the write without a wait. */
static bool comes_before_write(const struct late_operand *s, uint32_t signal,
                               struct walk_path *path)
{
    uint32_t write = s->write->instr;
    return walk_find(s->lint, signal, 0,
                     WALK_HANDOVERS | 1u << lint_effect(s->lint, s->write->instr), look_for_write,
                     &write, path) &&
           !path->vague;
}

/* ---- the waits of the thread of the mma ---- */

/* Each time before the mma its thread waits there. */
static bool waits_each_time(const struct late_operand *s, const struct handover *wait)
{
    uint32_t mma = s->mma->instr;
    return wait->waits && s->lint->function->instrs[wait->instr].guard == REG_NONE &&
           !round_reaches_without(s->lint, NO_INSTR, mma, wait->instr) &&
           !round_reaches_without(s->lint, mma, mma, wait->instr);
}

/* The signal, number i, is given by the thread of the mma or, before it writes, by that of the
 * write. */
static bool is_of_the_two(const struct late_operand *s, uint32_t i)
{
    const struct handover *signal = &s->lint->handovers->at[i];
    return !s->next[i] && signal->channel == CHANNEL_MBARRIER && !signal->use->remote &&
           (handover_reaches(s->lint, s->write->instr, signal->instr) ||
            handover_reaches(s->lint, s->mma->instr, signal->instr));
}

static bool is_copy_of_third(const struct late_operand *s, const struct handover *signal);

/* Each signal for which the wait may be satisfies is_of_the_two or, with third, is_copy_of_third.
 */
static bool waits_only_for(const struct late_operand *s, uint32_t wait, bool third)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    const struct handover_list *signals = handover_signals(lint, wait);
    if (all->at[wait].channel != CHANNEL_MBARRIER) return false;
    lint_spend(lint, signals->count + 1);
    for (uint32_t i = 0; i < signals->count; i++) {
        const struct handover *signal = &all->at[signals->at[i]];
        if (!handover_likely_others(lint, signal, &all->at[wait]) &&
            !is_of_the_two(s, signals->at[i]) && !(third && is_copy_of_third(s, signal)))
            return false;
    }
    return true;
}

/* A third thread that copies operands waits for nothing that may tell it of the write. */
static bool is_copy_of_third(const struct late_operand *s, const struct handover *signal)
{
    const struct handovers *all = s->lint->handovers;
    if (signal->channel != CHANNEL_MBARRIER || signal->use->remote ||
        (signal->use->kind != BARRIER_COPY && signal->use->kind != BARRIER_ARRIVE_EXPECT))
        return false;
    const struct handover_list *waits = handover_waits_before(s->lint, signal->instr);
    for (uint32_t w = 0; w < waits->count; w++)
        if (handover_reaches(s->lint, signal->instr, all->at[waits->at[w]].instr) &&
            all->at[waits->at[w]].channel != CHANNEL_WARP &&
            !waits_only_for(s, waits->at[w], false))
            return false;
    return true;
}

/* The wait may show that the write is complete: it is for a signal behind the write, or for one of
 * a third thread, which may have waited for one. */
static bool may_tell_of_write(const struct late_operand *s, uint32_t wait)
{
    return !waits_only_for(s, wait, true);
}

/* A wait of the innermost loop around the mma counts even if some rounds skip it: it is not known
 * which rounds these are. */
static bool mma_knows_of_write(const struct late_operand *s)
{
    const struct handovers *all = s->lint->handovers;
    const struct handover_list *waits = handover_waits_before(s->lint, s->mma->instr);
    for (uint32_t w = 0; w < waits->count; w++) {
        const struct handover *wait = &all->at[waits->at[w]];
        if (wait->channel != CHANNEL_WARP && s->loop.blocks[s->lint->cfg->block_of[wait->instr]] &&
            may_tell_of_write(s, waits->at[w]))
            return true;
    }
    return false;
}

/* The arrive lets the mma run: its thread waits for it each time. */
static bool lets_mma_run(const struct late_operand *s, uint32_t signal)
{
    const struct handovers *all = s->lint->handovers;
    const struct handover *arrive = &all->at[signal];
    if (arrive->channel != CHANNEL_MBARRIER || arrive->use->kind != BARRIER_ARRIVE) return false;
    const struct handover_list *waits = handover_waits(s->lint, signal);
    lint_spend(s->lint, waits->count + 1);
    for (uint32_t w = 0; w < waits->count; w++)
        if (handover_likely_meets(s->lint, arrive, &all->at[waits->at[w]]) &&
            waits_each_time(s, &all->at[waits->at[w]]))
            return true;
    return false;
}

/* ---- the search ---- */

static bool report_pair(struct late_operand *s)
{
    struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    struct walk_path path;
    if (s->examined == PAIRS_MAX) return false;
    s->examined++;
    if (!round_loop_find(&s->loop, lint->cfg->block_of[s->mma->instr])) return false;
    if (!find_next_signals(s) || mma_knows_of_write(s)) return false;
    for (uint32_t i = 0; i < all->count; i++) {
        lint_spend(lint, 1);
        if (!all->at[i].signals || !handover_reaches(lint, all->at[i].instr, s->write->instr) ||
            !handover_reaches(lint, s->write->instr, all->at[i].instr) || !lets_mma_run(s, i) ||
            !comes_before_write(s, all->at[i].instr, &path))
            continue;
        lint_report(lint,
                    (struct hazard){s->code, LINT_WARNING, s->write->instr, s->mma->instr,
                                    "this overwrites what %s may read[: this thread has let it run "
                                    "again, and has not waited since]",
                                    "write it behind the wait for a commit of %s", path.instrs,
                                    path.count, NULL});
        return true;
    }
    return false;
}

/* Examines the mma that most likely is the last one of its thread on these columns first. */
static void examine_write(struct late_operand *s)
{
    const struct lint *lint = s->lint;
    struct op_list near = op_neighbours(lint, s->write);
    lint_spend(lint, near.count);
    for (uint32_t n = near.count, block = UINT32_MAX; n-- > 0;) {
        s->mma = &lint->handovers->ops[near.at[n]];
        uint32_t mma = s->mma->instr;
        if (lint_effect(lint, mma) != EFFECT_ASYNC_MMA || lint->cfg->block_of[mma] == block ||
            !handover_reads_written(lint, s->mma, s->write))
            continue;
        block = lint->cfg->block_of[mma];
        if (handover_reaches(lint, mma, mma) && handover_other_thread(lint, mma, s->write->instr) &&
            report_pair(s))
            return;
    }
}

void late_operand_report(struct lint *lint, const struct lint_code *code)
{
    const struct handovers *all = lint->handovers;
    struct late_operand s = {.lint = lint, .code = code};
    if (!handover_of_several_threads(lint) || !lint_has_effect(lint, EFFECT_ASYNC_MMA)) return;
    round_loop_begin(&s.loop, lint);
    s.next = arena_alloc(lint->arena, all->count, sizeof *s.next);
    for (uint32_t i = 0; i < all->op_count; i++) {
        s.write = &all->ops[i];
        enum effect effect = lint_effect(lint, s.write->instr);
        if ((effect == EFFECT_ASYNC_ST || effect == EFFECT_ASYNC_CP) &&
            handover_reaches(lint, s.write->instr, s.write->instr))
            examine_write(&s);
    }
    round_loop_end(&s.loop);
}
