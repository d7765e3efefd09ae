/* Simulates a thread of each warp, and compares the columns of its loads and stores with those of
 * other warps that execute the same code. See groups_overlap.h. */
#include "lint/groups_overlap.h"

#include "lint/handover.h"
#include "lint/interpret.h"
#include "lint/op_neighbours.h"
#include "lint/readers.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"

/* At most so many pairs of a load and a store are compared. */
enum { OVERLAPS_MAX = 32 };

struct groups_search {
    struct lint *lint;
    struct value *at; /* by operation and warp: its address; VALUE_NONE: not known. NULL: the warps
                         are not simulated yet */
    uint32_t warps, warp;
};

/* The number of the warp decides about the columns that the first address of the operation names.
 */
static bool goes_by_warp(const struct lint *lint, const struct tensor_op *op)
{
    uint32_t terms[EXPR_TERMS_MAX];
    if (!op->range_count || !value_is_fixed(lint->subject, op->ranges[0].address)) return false;
    uint32_t count = exprs_terms(values_exprs(lint->subject), op->ranges[0].base.base, terms);
    lint_spend(lint, 1);
    for (uint32_t i = 0; i < count; i++) {
        const struct expr *e = value_expr(lint->subject, (struct value){terms[i], 0});
        if (expr_is_of_warp(e)) return true;
    }
    return false;
}

static bool is_register_op(const struct lint *lint, uint32_t instr)
{
    enum effect effect = lint_effect(lint, instr);
    return effect == EFFECT_ASYNC_LD || effect == EFFECT_ASYNC_ST;
}

static uint32_t interest_in_groups(const struct lint *lint, uint32_t instr, const void *context)
{
    (void)context;
    if (!is_register_op(lint, instr)) return 0;
    return interpret_needs(instruction_first_address(lint->subject, instr));
}

static bool note_columns(void *context, struct interpreter *run, uint32_t instr)
{
    struct groups_search *s = context;
    const struct lint *lint = s->lint;
    uint32_t op = (uint32_t)(handover_op(lint, instr) - lint->handovers->ops);
    s->at[op * s->warps + s->warp] =
        interpret_operand(run, instr, instruction_first_address(lint->subject, instr));
    return true;
}

/* ---- one pair ---- */

/* Each wait before the load is the same for all warps that execute it. */
static bool are_released_together(const struct lint *lint, uint32_t load)
{
    const struct handovers *all = lint->handovers;
    const struct handover_list *waits = handover_waits_before(lint, load);
    for (uint32_t w = 0; w < waits->count; w++) {
        const struct handover *wait = &all->at[waits->at[w]];
        lint_spend(lint, 1);
        if (wait->channel == CHANNEL_WARP) continue;
        struct value at = wait->channel == CHANNEL_MBARRIER ? wait->use->object : wait->address;
        if (wait->channel == CHANNEL_CTA && (wait->numbers || !value_is_constant(at))) return false;
        if (wait->channel == CHANNEL_FLAG || wait->channel == CHANNEL_UNKNOWN) return false;
        if (wait->channel == CHANNEL_MBARRIER &&
            (value_is_none(at) || (at.base && !wait->use->variable)))
            return false;
        if (handover_of_fewer_warps(lint, wait->instr, load)) return false;
    }
    return true;
}

static enum walk_does look_for_own_store(void *context, const struct lint *lint, uint32_t instr,
                                         unsigned *state)
{
    const uint32_t *store = context;
    const struct handover *h = handover_at(lint, instr);
    (void)state;
    if (instr == *store) return WALK_FOUND;
    return h && h->channel != CHANNEL_WARP && (h->waits || h->channel == CHANNEL_UNKNOWN) ? WALK_END
                                                                                          : WALK_ON;
}

/* Simulates all warps, on the first call. */
static void follow_warps(struct groups_search *s)
{
    const uint32_t count = s->lint->handovers->op_count * s->warps;
    if (s->at) return;
    s->at = arena_room(s->lint->arena, count, sizeof *s->at);
    lint_spend(s->lint, count / 16);
    for (uint32_t i = 0; i < count; i++) s->at[i] = VALUE_NONE;
    struct interpreter *run = interpret_begin(s->lint, interest_in_groups, NULL);
    for (s->warp = 0; s->warp < s->warps; s->warp++)
        (void)interpret_thread(run, s->warp * 32, note_columns, s);
    interpret_end(run);
}

/* Some warp stores where another one loads. */
static bool meets_another_warp(struct groups_search *s, const struct tensor_op *load,
                               const struct tensor_op *store)
{
    const struct lint *lint = s->lint;
    const struct tensor_op *ops = lint->handovers->ops;
    follow_warps(s);
    const struct value *loads = &s->at[(load - ops) * s->warps],
                       *stores = &s->at[(store - ops) * s->warps];
    lint_spend(lint, s->warps * s->warps / 16);
    for (uint32_t u = 0; u < s->warps; u++)
        for (uint32_t v = 0; v < s->warps; v++) {
            struct value a = loads[u], b = stores[v];
            if (u == v || value_is_none(a) || value_is_none(b) || !a.base || a.base != b.base)
                continue;
            /* Other lanes are further apart than an operation has columns. */
            int64_t apart = minus_wrapped(b.offset, a.offset);
            if (apart < load->ranges[0].count && apart > -(int64_t)store->ranges[0].count)
                return true;
        }
    return false;
}

/* The simulation takes longest, so it comes last. */
static bool is_overwritten(struct groups_search *s, const struct tensor_op *load,
                           const struct tensor_op *store, struct walk_path *path)
{
    const struct lint *lint = s->lint;
    return condition_pairs_set(lint->subject, load->instr) ==
               condition_pairs_set(lint->subject, store->instr) &&
           are_released_together(lint, load->instr) &&
           handover_reaches(lint, load->instr, store->instr) &&
           walk_find(lint, load->instr, 0, WALK_ASYNC | WALK_HANDOVERS, look_for_own_store,
                     (void *)&store->instr, path) &&
           !path->vague && meets_another_warp(s, load, store);
}

/* ---- all pairs ---- */

static void compare_groups(struct groups_search *s, const struct lint_code *code)
{
    const struct handovers *all = s->lint->handovers;
    uint32_t examined = 0;
    for (uint32_t i = 0; i < all->op_count && examined < OVERLAPS_MAX; i++) {
        const struct tensor_op *load = &all->ops[i];
        if (lint_effect(s->lint, load->instr) != EFFECT_ASYNC_LD || !load->range_count) continue;
        bool by_warp = goes_by_warp(s->lint, load);
        lint_spend(s->lint, all->writer_count);
        for (uint32_t k = 0; k < all->writer_count && examined < OVERLAPS_MAX; k++) {
            const struct tensor_op *store = &all->ops[all->writers[k]];
            struct walk_path path;
            if (lint_effect(s->lint, store->instr) != EFFECT_ASYNC_ST || !store->range_count ||
                (!by_warp && !goes_by_warp(s->lint, store)))
                continue;
            examined++;
            if (!is_overwritten(s, load, store, &path)) continue;
            lint_report(s->lint, (struct hazard){code, LINT_WARNING, store->instr, load->instr,
                                                 "a warp stores here to columns that another warp "
                                                 "may still load at %s[: both have the same lanes, "
                                                 "and no barrier is in between]",
                                                 "let all these warps meet at a barrier between %s "
                                                 "and here",
                                                 path.instrs, path.count, NULL});
            return;
        }
    }
}

void groups_overlap_report(struct lint *lint, const struct lint_code *code)
{
    const struct handovers *all = lint->handovers;
    bool loads = false, stores = false, by_warp = false;
    struct groups_search s = {.lint = lint, .warps = lanes_warps_at_most(&all->shape)};
    for (uint32_t i = 0; i < all->op_count; i++) {
        enum effect effect = lint_effect(lint, all->ops[i].instr);
        loads |= effect == EFFECT_ASYNC_LD;
        stores |= effect == EFFECT_ASYNC_ST;
        by_warp |= is_register_op(lint, all->ops[i].instr) && goes_by_warp(lint, &all->ops[i]);
    }
    if (!loads || !stores || !by_warp || !all->shape.row) return;
    compare_groups(&s, code);
}
