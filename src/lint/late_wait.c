/* Looks for an operation that writes the columns of its round, and for a wait behind it that lets
 * another operation write the same columns. See late_wait.h. */
#include "lint/late_wait.h"

#include "base/vec.h"
#include "lint/first_round.h"
#include "lint/handover.h"
#include "lint/otherwise.h"
#include "lint/readers.h"
#include "lint/round_late.h"
#include "value/instruction.h"

/* At most so many blocks around a wait are examined. */
enum { BLOCKS_MAX = 8 };

/* Readers are searched for at most this often. */
enum { SEARCHES_MAX = 64 };

struct late_wait {
    struct lint *lint;
    const struct lint_code *code;
    const struct handover *wait;
    struct VEC(uint32_t) near;    /* blocks */
    const struct tensor_op *late; /* the operation before the wait */
    uint32_t web;                 /* the register with its address */
    struct value address;
    uint32_t unrepeated; /* the last such register with which nothing behind the wait writes */
    uint32_t searches;
};

static uint32_t first_address_web(const struct lint *lint, uint32_t instr)
{
    return value_operand_web(lint->subject, instr, instruction_first_address(lint->subject, instr));
}

/* Lists the blocks around that of the instruction, which is the first: those that control reaches
 * from it, or, with back, from which control reaches it. */
static void list_near(struct late_wait *s, uint32_t instr, bool back)
{
    const struct cfg *cfg = s->lint->cfg;
    s->near.count = 0;
    vec_push(&s->near, cfg->block_of[instr]);
    for (uint32_t n = 0; n < s->near.count; n++) {
        const struct block *block = &cfg->blocks[s->near.at[n]];
        uint32_t count = back ? block->pred_count : block->succ_count;
        for (uint32_t i = 0; i < count && s->near.count < BLOCKS_MAX; i++) {
            uint32_t next =
                back ? cfg->preds[block->first_pred + i] : cfg->succs[block->first_succ + i];
            bool listed = false;
            for (uint32_t k = 0; k < s->near.count; k++) listed |= s->near.at[k] == next;
            if (!listed) vec_push(&s->near, next);
        }
    }
    lint_spend(s->lint, s->near.count);
}

/* Control can go from one instruction to the other without a write to the register of the address
 * that is in the same loop. */
static bool keeps_address(const struct late_wait *s, uint32_t from, uint32_t to)
{
    const struct lint *lint = s->lint;
    for (uint32_t write = value_last_write(lint->subject, s->web); write != NO_WRITE;
         write = value_write_before(lint->subject, write)) {
        uint32_t at = value_write_instr(lint->subject, write);
        if (handover_reaches(lint, from, at) && handover_reaches(lint, at, from) &&
            !round_reaches_without(lint, from, to, at))
            return false;
    }
    return true;
}

/* The index of the first operation that writes in [from, to); all->op_count: none. */
static uint32_t next_write(const struct lint *lint, uint32_t from, uint32_t to)
{
    const struct handovers *all = lint->handovers;
    uint32_t low = 0, high = all->writer_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (all->ops[all->writers[middle]].instr < from)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == all->writer_count || all->ops[all->writers[low]].instr >= to) return all->op_count;
    return all->writers[low];
}

static struct value first_address(const struct lint *lint, uint32_t instr)
{
    return value_of_operand(lint->subject, instr, instruction_first_address(lint->subject, instr));
}

/* In one round the instruction names the same columns as the operation before the wait. */
static bool is_at_same_columns(const struct late_wait *s, uint32_t instr)
{
    const struct lint *lint = s->lint;
    if (first_address_web(lint, instr) == s->web) return keeps_address(s, s->wait->instr, instr);
    return value_is_fixed(lint->subject, s->address) &&
           value_same(s->address, first_address(lint, instr));
}

/* Another operation writes the same columns behind the wait, in the same round. */
static bool is_repeated_behind(struct late_wait *s)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    uint32_t wait = s->wait->instr;
    list_near(s, wait, false);
    for (uint32_t n = 0; n < s->near.count; n++) {
        const struct block *block = &lint->cfg->blocks[s->near.at[n]];
        uint32_t i = next_write(lint, n ? block->first : wait, block->end);
        while (i < all->op_count) {
            const struct tensor_op *op = &all->ops[i];
            if (op != s->late && is_at_same_columns(s, op->instr)) return true;
            i = next_write(lint, op->instr + 1, block->end);
        }
    }
    return false;
}

/* Some wait for the signal may be before the operation in its first round, or something else orders
 * the reader before the operation. */
static bool is_ordered_before(const struct late_wait *s, uint32_t reader,
                              const struct handover *signal)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    uint32_t late = s->late->instr;
    const struct handover_list *waits = handover_waits_before(lint, late);
    for (uint32_t w = 0; w < waits->count; w++) {
        const struct handover *other = &all->at[waits->at[w]];
        lint_spend(lint, 1);
        if (other != s->wait && handover_likely_meets(lint, signal, other)) return true;
    }
    return !round_reaches_without(lint, NO_INSTR, late, s->wait->instr) ||
           otherwise_ordered_from(lint, reader, late, signal, late, true, 0);
}

/* The load of a thread that signals for the wait; NULL: none conflicts with the operation. */
static const struct tensor_op *reader_before(const struct late_wait *s)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    const struct handover_list *signals = handover_signals(lint, (uint32_t)(s->wait - all->at));
    for (uint32_t n = 0; n < signals->count; n++) {
        const struct handover *signal = &all->at[signals->at[n]];
        if (!signal->use || signal->use->kind != BARRIER_ARRIVE ||
            !handover_likely_meets(lint, signal, s->wait))
            continue;
        for (uint32_t i = 0; i < all->op_count; i++) {
            const struct tensor_op *op = &all->ops[i];
            lint_spend(lint, 1);
            if (lint_effect(lint, op->instr) == EFFECT_ASYNC_LD &&
                handover_reaches(lint, op->instr, signal->instr) &&
                handover_other_thread(lint, op->instr, s->late->instr) &&
                handover_likely_conflict(lint, op, s->late) &&
                readers_have_result(lint, op->instr) && !is_ordered_before(s, op->instr, signal))
                return op;
        }
    }
    return NULL;
}

static bool report_late(struct late_wait *s)
{
    const struct lint *lint = s->lint;
    s->web = first_address_web(lint, s->late->instr);
    if (s->web == REG_NONE || s->web == s->unrepeated) return false;
    if (!keeps_address(s, s->late->instr, s->wait->instr)) return false;
    s->address = first_address(lint, s->late->instr);
    if (!is_repeated_behind(s)) {
        s->unrepeated = s->web;
        return false;
    }
    if (s->searches++ >= SEARCHES_MAX) return false;
    const struct tensor_op *reader = reader_before(s);
    if (!reader) return false;
    lint_report(s->lint,
                (struct hazard){s->code, LINT_WARNING, s->late->instr, reader->instr,
                                "this overwrites what %s may still load[: the wait for those "
                                "threads comes after it]",
                                "write it behind the wait for that mbarrier", NULL, 0, NULL});
    return true;
}

/* Some operation writes in the blocks that list_near has found, from the wait on, or before it. */
static bool has_write_near(const struct late_wait *s, bool before)
{
    const struct lint *lint = s->lint;
    uint32_t wait = s->wait->instr;
    for (uint32_t n = 0; n < s->near.count; n++) {
        const struct block *block = &lint->cfg->blocks[s->near.at[n]];
        uint32_t from = block->first, to = block->end;
        if (before && to > wait) to = wait;
        if (!before && !n) from = wait;
        if (next_write(lint, from, to) < lint->handovers->op_count) return true;
    }
    return false;
}

/* Examines the operations that control executes before the wait. An operation behind it in the text
 * may come before it only in a later round of an inner loop. */
static void examine_wait(struct late_wait *s)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    struct VEC(uint32_t) before = {0};
    list_near(s, s->wait->instr, false);
    if (!has_write_near(s, false)) return;
    list_near(s, s->wait->instr, true);
    if (!has_write_near(s, true) || !first_round_passes(lint, s->wait->instr)) return;
    for (uint32_t n = 0; n < s->near.count; n++) vec_push(&before, s->near.at[n]);
    bool found = false;
    s->unrepeated = REG_NONE;
    for (uint32_t n = 0; n < before.count && !found; n++) {
        const struct block *block = &lint->cfg->blocks[before.at[n]];
        uint32_t end = block->end < s->wait->instr ? block->end : s->wait->instr;
        for (uint32_t i = next_write(lint, block->first, end); i < all->op_count && !found;
             i = next_write(lint, s->late->instr + 1, end)) {
            s->late = &all->ops[i];
            found = report_late(s);
        }
    }
    vec_free(&before);
}

/* Some thread may arrive after a load from tensor memory. */
static bool has_readers_that_arrive(const struct lint *lint)
{
    const struct barriers *all = lint->subject->barriers;
    const struct handovers *handovers = lint->handovers;
    bool arrives = false;
    for (uint32_t i = 0; i < all->count && !arrives; i++)
        arrives = all->uses[i].kind == BARRIER_ARRIVE;
    for (uint32_t i = 0; i < handovers->op_count && arrives; i++)
        if (lint_effect(lint, handovers->ops[i].instr) == EFFECT_ASYNC_LD) return true;
    return false;
}

void late_wait_report(struct lint *lint, const struct lint_code *code)
{
    const struct handovers *all = lint->handovers;
    struct late_wait s = {.lint = lint, .code = code};
    if (!all->writer_count || !has_readers_that_arrive(lint)) return;
    for (uint32_t i = 0; i < all->count; i++) {
        s.wait = &all->at[i];
        if (s.wait->channel == CHANNEL_MBARRIER && s.wait->waits) examine_wait(&s);
    }
    vec_free(&s.near);
}
