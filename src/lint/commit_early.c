/* Finds commits in the middle of a group of mma or of cp. See commit_early.h. */
#include "lint/commit_early.h"

#include "lint/arrays.h"
#include "lint/handover.h"
#include "lint/op_neighbours.h"
#include "lint/otherwise.h"
#include "lint/smem_meetings.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"

/* APART_MOST: two operations in the same block that are further apart are not one group. STEP_MOST:
 * the largest distance between the tiles of consecutive steps, in the units of 16 bytes of a
 * descriptor. STEPS_MOST: the most steps in a stage. */
enum { APART_MOST = 256, STEP_MOST = 64, STEPS_MOST = 32 };

/* A commit between two operations of the same effect and threads, with no wait from the first one
 * to the second. */
struct split {
    enum effect effect; /* ASYNC_MMA or ASYNC_CP */
    const struct handover *commit;
    const struct tensor_op *before, *after;
};

static bool is_commit_to_mbarrier(const struct handover *h)
{
    return h->channel == CHANNEL_MBARRIER && h->use->kind == BARRIER_COMMIT;
}

/* The instruction is such an operation of the threads that commit; *ends: none beyond it is. */
static const struct tensor_op *op_beside(const struct lint *lint, const struct split *split,
                                         uint32_t i, bool *ends)
{
    uint32_t commit = split->commit->instr;
    const struct handover *h = handover_at(lint, i);
    const struct tensor_op *op = handover_op(lint, i);
    *ends = h && h->waits;
    if (!op || lint_effect(lint, i) != split->effect || !op->range_count) return NULL;
    bool own = condition_pairs_set(lint->subject, i) == condition_pairs_set(lint->subject, commit);
    *ends = true;
    return own ? op : NULL;
}

/* The last such operation before instr in its block, with no wait in between; NULL: none. */
static const struct tensor_op *op_before(const struct lint *lint, const struct split *split,
                                         uint32_t instr)
{
    const struct block *block = &lint->cfg->blocks[lint->cfg->block_of[instr]];
    const struct tensor_op *op = NULL;
    bool ends = false;
    lint_spend(lint, APART_MOST / 16);
    for (uint32_t i = instr; i-- > block->first && i + APART_MOST > instr && !ends;)
        op = op_beside(lint, split, i, &ends);
    return op;
}

static bool find_split(const struct lint *lint, const struct handover *commit, enum effect effect,
                       struct split *split)
{
    const uint32_t at = commit->instr;
    const struct block *block = &lint->cfg->blocks[lint->cfg->block_of[at]];
    bool ends = false;
    *split = (struct split){effect, commit, NULL, NULL};
    lint_spend(lint, APART_MOST / 16);
    for (uint32_t i = at + 1; i < block->end && i < at + APART_MOST && !ends; i++)
        split->after = op_beside(lint, split, i, &ends);
    if (split->after) split->before = op_before(lint, split, at);
    return split->before;
}

/* A commit after the second operation is for the same mbarrier, which may count both. */
static bool is_committed_again(const struct lint *lint, const struct split *split)
{
    const uint32_t after = split->after->instr;
    const struct block *block = &lint->cfg->blocks[lint->cfg->block_of[after]];
    const struct handovers *all = lint->handovers;
    uint32_t end = block->end < after + APART_MOST ? block->end : after + APART_MOST;
    for (uint32_t i = handover_from(all, after); i < all->count && all->at[i].instr < end; i++) {
        lint_spend(lint, 1);
        if (is_commit_to_mbarrier(&all->at[i]) &&
            !arrays_likely_others(lint, all->at[i].use, split->commit->use))
            return true;
    }
    return false;
}

/* ---- the accumulator ---- */

static bool have_one_result(const struct split *split)
{
    return value_same(split->before->ranges[0].address, split->after->ranges[0].address);
}

/* A load of the accumulator in another thread, after a wait for the commit; NO_INSTR: none. */
static uint32_t load_behind(const struct lint *lint, const struct split *split)
{
    const struct handovers *all = lint->handovers;
    const struct handover_list *waits = handover_waits(lint, (uint32_t)(split->commit - all->at));
    struct op_list near = op_neighbours(lint, split->after);
    for (uint32_t w = 0; w < waits->count; w++) {
        const struct handover *wait = &all->at[waits->at[w]];
        if (!handover_meets(lint, split->commit, wait)) continue;
        lint_spend(lint, near.count);
        for (uint32_t i = 0; i < near.count; i++) {
            const struct tensor_op *load = &all->ops[near.at[i]];
            if (lint_effect(lint, load->instr) == EFFECT_ASYNC_LD &&
                handover_conflict(lint, split->after, load) &&
                handover_other_thread(lint, split->after->instr, load->instr) &&
                handover_reaches(lint, wait->instr, load->instr))
                return load->instr;
        }
    }
    return NO_INSTR;
}

void commit_early_of_result(struct lint *lint, const struct lint_code *code)
{
    const struct handovers *all = lint->handovers;
    struct split split;
    for (uint32_t i = 0; i < all->count; i++) {
        if (!is_commit_to_mbarrier(&all->at[i]) ||
            !find_split(lint, &all->at[i], EFFECT_ASYNC_MMA, &split))
            continue;
        if (!have_one_result(&split) || is_committed_again(lint, &split)) continue;
        uint32_t load = load_behind(lint, &split);
        if (load == NO_INSTR) continue;
        lint_report(lint,
                    (struct hazard){code, LINT_WARNING, split.after->instr, load,
                                    "%s loads the result of this, but waits for a commit before it",
                                    "commit after the last mma of the group", NULL, 0, NULL});
    }
}

/* ---- the stage ---- */

/* The tiles of the second operation are the next ones of the same stage. */
static bool is_next_step(const struct lint *lint, const struct tensor_op *first,
                         const struct tensor_op *second)
{
    enum { TILE_A = 1, TILE_B = 2 };
    uint32_t steps = 0;
    for (uint32_t n = TILE_A; n <= TILE_B; n++) {
        struct value x = value_of_operand(lint->subject, first->instr, n),
                     y = value_of_operand(lint->subject, second->instr, n);
        if (value_is_none(x) || value_is_none(y) || !x.base || x.base != y.base) continue;
        int64_t step = minus_wrapped(y.offset, x.offset);
        if (step <= 0 || step > STEP_MOST) return false;
        steps++;
    }
    return steps;
}

/* The first step of the group: its tiles are at the beginning of the stage. */
static uint32_t first_step(const struct lint *lint, const struct split *split)
{
    const struct tensor_op *op = split->before, *before = op;
    for (uint32_t steps = 0; before && steps < STEPS_MOST; steps++) {
        op = before;
        before = op_before(lint, split, op->instr);
        if (before && !is_next_step(lint, before, op)) before = NULL;
    }
    return op->instr;
}

/* A copy that fills the stage after a wait for the commit; NO_INSTR: none. */
static uint32_t refill_behind(struct lint *lint, const struct split *split)
{
    const struct handovers *all = lint->handovers;
    const struct smem_places places = smem_places_find(lint);
    const struct smem_meetings *meetings = smem_meetings_find(lint);
    const struct handover_list *waits = handover_waits(lint, (uint32_t)(split->commit - all->at));
    struct item_list room = {0};
    uint32_t count, refill = NO_INSTR;
    const struct smem_place *read = smem_places_of(&places, first_step(lint, split), &count);
    for (uint32_t i = 0; i < count && refill == NO_INSTR; i++) {
        const struct meeting_list near = smem_meetings_of(lint, meetings, &read[i], &room);
        for (uint32_t k = 0; k < near.count && refill == NO_INSTR; k++) {
            const struct smem_place *fill = &places.at[near.at[k]];
            if (!fill->copy || !fill->writes) continue;
            lint_spend(lint, waits->count);
            for (uint32_t w = 0; w < waits->count; w++)
                if (handover_likely_meets(lint, split->commit, &all->at[waits->at[w]]) &&
                    handover_reaches(lint, all->at[waits->at[w]].instr, fill->instr))
                    refill = fill->instr;
        }
    }
    vec_free(&room);
    return refill;
}

static void check_stage(struct lint *lint, const struct lint_code *code, const struct split *split)
{
    if (!is_next_step(lint, split->before, split->after) || is_committed_again(lint, split)) return;
    uint32_t refill = refill_behind(lint, split);
    if (refill == NO_INSTR || !handover_other_thread(lint, split->after->instr, refill) ||
        otherwise_ordered(lint, split->after->instr, refill, split->commit))
        return;
    lint_report(lint, (struct hazard){code, LINT_WARNING, split->commit->instr, split->after->instr,
                                      "this commit releases the stage that %s, after it, reads"
                                      "[: another thread refills it]",
                                      split->effect == EFFECT_ASYNC_CP
                                          ? "commit after the last cp that reads the stage"
                                          : "commit after the last mma that reads the stage",
                                      NULL, 0, NULL});
}

static void check_stages(struct lint *lint, const struct lint_code *code, enum effect effect)
{
    const struct handovers *all = lint->handovers;
    uint32_t op = 0;
    while (op < all->op_count && lint_effect(lint, all->ops[op].instr) != effect) op++;
    for (uint32_t i = 0; i < all->count && op < all->op_count; i++) {
        struct split split;
        if (is_commit_to_mbarrier(&all->at[i]) && find_split(lint, &all->at[i], effect, &split))
            check_stage(lint, code, &split);
    }
}

void commit_early_of_stage(struct lint *lint, const struct lint_code *code)
{
    check_stages(lint, code, EFFECT_ASYNC_MMA);
    check_stages(lint, code, EFFECT_ASYNC_CP);
}
