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
    struct item_list before, behind; /* blocks around the wait, its own first */
    const struct tensor_op *late;    /* the operation before the wait */
    uint32_t web;                    /* the register with its address */
    struct value address;
    /* the last such register and address at which nothing behind the wait writes */
    uint32_t unrepeated;
    struct value unrepeated_at;
    uint32_t searches;
};

/* Lists the block of the wait, and blocks that control reaches from it or, with back, from which
 * control reaches it. */
static void list_near(const struct late_wait *s, bool back, struct item_list *near)
{
    const struct cfg *cfg = s->lint->cfg;
    near->count = 0;
    vec_push(near, cfg->block_of[s->wait->instr]);
    for (uint32_t n = 0; n < near->count; n++) {
        const struct block *block = &cfg->blocks[near->at[n]];
        uint32_t count = back ? block->pred_count : block->succ_count;
        for (uint32_t i = 0; i < count && near->count < BLOCKS_MAX; i++) {
            uint32_t next =
                back ? cfg->preds[block->first_pred + i] : cfg->succs[block->first_succ + i];
            bool listed = false;
            for (uint32_t k = 0; k < near->count; k++) listed |= near->at[k] == next;
            if (!listed) vec_push(near, next);
        }
    }
    lint_spend(s->lint, near->count);
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

/* Instructions [from, to). */
struct text_part {
    uint32_t from, to;
};

/* The part of block number n of the list that is before the wait, or behind it. An operation behind
 * the wait in the text may come before it only in a later round of an inner loop. */
static struct text_part part_of_block(const struct late_wait *s, bool before, uint32_t n)
{
    uint32_t wait = s->wait->instr;
    const struct block *block = &s->lint->cfg->blocks[before ? s->before.at[n] : s->behind.at[n]];
    struct text_part part = {block->first, block->end};
    if (before && part.to > wait) part.to = wait;
    if (!before && !n) part.from = wait;
    return part;
}

/* In one round the instruction names the same columns as the operation before the wait. */
static bool is_at_same_columns(const struct late_wait *s, uint32_t instr)
{
    const struct lint *lint = s->lint;
    struct value address = value_of_address(lint->subject, instr);
    if (address.base == s->address.base && address.offset != s->address.offset) return false;
    if (value_address_web(lint->subject, instr) == s->web)
        return keeps_address(s, s->wait->instr, instr);
    return value_is_fixed(lint->subject, s->address) && value_same(s->address, address);
}

/* Another operation writes the same columns behind the wait, in the same round. */
static bool is_repeated_behind(const struct late_wait *s)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    for (uint32_t n = 0; n < s->behind.count; n++) {
        struct text_part part = part_of_block(s, false, n);
        for (uint32_t i = next_write(lint, part.from, part.to); i < all->op_count;
             i = next_write(lint, all->ops[i].instr + 1, part.to))
            if (&all->ops[i] != s->late && is_at_same_columns(s, all->ops[i].instr)) return true;
    }
    return false;
}

/* Some wait for the signal may be before the operation in its first round. */
static bool may_wait_before(const struct late_wait *s, const struct handover *signal)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    const uint32_t of = (uint32_t)(signal - all->at);
    const uint64_t *before = handover_waits_before(lint, s->late->instr)->bits;
    for (uint32_t w = UINT32_MAX; (w = handover_next_likely(lint, of, w)) < all->count;) {
        lint_spend(lint, 1);
        if (before[w / 64] >> (w % 64) & 1 && &all->at[w] != s->wait &&
            handover_likely_meets(lint, signal, &all->at[w]))
            return true;
    }
    return !round_reaches_without(lint, NO_INSTR, s->late->instr, s->wait->instr);
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
            !handover_likely_meets(lint, signal, s->wait) || may_wait_before(s, signal))
            continue;
        for (uint32_t i = 0; i < all->op_count; i++) {
            const struct tensor_op *op = &all->ops[i];
            lint_spend(lint, 1);
            if (lint_effect(lint, op->instr) == EFFECT_ASYNC_LD &&
                handover_reaches(lint, op->instr, signal->instr) &&
                handover_other_thread(lint, op->instr, s->late->instr) &&
                handover_likely_conflict(lint, op, s->late) &&
                readers_have_result(lint, op->instr) &&
                !otherwise_ordered_from(lint, op->instr, s->late->instr, signal, s->late->instr,
                                        true, 0))
                return op;
        }
    }
    return NULL;
}

static bool report_late(struct late_wait *s)
{
    const struct lint *lint = s->lint;
    s->web = value_address_web(lint->subject, s->late->instr);
    if (s->web == REG_NONE) return false;
    s->address = value_of_address(lint->subject, s->late->instr);
    if (s->web == s->unrepeated && value_same(s->address, s->unrepeated_at)) return false;
    if (!keeps_address(s, s->late->instr, s->wait->instr)) return false;
    if (!is_repeated_behind(s)) {
        s->unrepeated = s->web;
        s->unrepeated_at = s->address;
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

static bool has_write(const struct late_wait *s, bool before)
{
    uint32_t count = before ? s->before.count : s->behind.count;
    for (uint32_t n = 0; n < count; n++) {
        struct text_part part = part_of_block(s, before, n);
        if (next_write(s->lint, part.from, part.to) < s->lint->handovers->op_count) return true;
    }
    return false;
}

/* Examines the operations that control executes before the wait. */
static void examine_wait(struct late_wait *s)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    list_near(s, false, &s->behind);
    if (!has_write(s, false)) return;
    list_near(s, true, &s->before);
    if (!has_write(s, true) || !first_round_passes(lint, s->wait->instr)) return;
    s->unrepeated = REG_NONE;
    for (uint32_t n = 0; n < s->before.count; n++) {
        struct text_part part = part_of_block(s, true, n);
        for (uint32_t i = next_write(lint, part.from, part.to); i < all->op_count;
             i = next_write(lint, s->late->instr + 1, part.to)) {
            s->late = &all->ops[i];
            if (report_late(s)) return;
        }
    }
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
    vec_free(&s.before);
    vec_free(&s.behind);
}
