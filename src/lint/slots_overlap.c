/* Finds accumulators of a ring that overlap. See slots_overlap.h. */
#include "lint/slots_overlap.h"

#include "lint/handover.h"
#include "value/condition_pairs.h"

/* An address: a fixed part, and index * columns. index: a row of the table of expressions; 0: the
 * address has another form. */
struct ring_address {
    uint32_t index;
    int64_t columns;
};

static struct ring_address ring_address_of(const struct lint *lint, struct value v)
{
    uint32_t terms[EXPR_TERMS_MAX];
    struct ring_address ring = {0};
    struct value first = value_at_first(lint->subject, v);
    if (value_is_none(first)) return ring;
    uint32_t count = exprs_terms(values_exprs(lint->subject), first.base, terms);
    for (uint32_t i = 0; i < count; i++) {
        const struct expr *e = value_expr(lint->subject, (struct value){terms[i], 0});
        if (e->fixed) continue;
        if (ring.index || e->kind != EXPR_PRODUCT) return (struct ring_address){0};
        ring = (struct ring_address){e->a[0].base, e->a[1].offset};
    }
    return ring;
}

/* The threads of the mma commit to an mbarrier of the same slot. */
static bool is_committed_by_slot(const struct lint *lint, const struct tensor_op *mma,
                                 uint32_t index)
{
    const struct barriers *all = lint->subject->barriers;
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct barrier_use *use = &all->uses[i];
        if (use->kind == BARRIER_COMMIT &&
            condition_pairs_set(lint->subject, use->instr) ==
                condition_pairs_set(lint->subject, mma->instr) &&
            ring_address_of(lint, use->address).index == index)
            return true;
    }
    return false;
}

/* The load is from the ring, and from columns that a slot has only if it is as wide as the mma: it
 * reaches beyond the next slot, or a loop advances the address. */
static bool reaches_beyond(const struct lint *lint, const struct tmem_range *load,
                           const struct tmem_range *result, int64_t columns)
{
    enum { COLUMN = 0xffff };
    struct value first = value_at_first(lint->subject, load->address);
    if (ring_address_of(lint, load->address).columns != columns) return false;
    int64_t from = minus_wrapped(first.offset, result->address.offset) & COLUMN;
    return !value_same(first, load->address) || from + load->count > columns;
}

/* Such a load in another thread; NO_INSTR: none. */
static uint32_t load_from_ring(const struct lint *lint, const struct tensor_op *mma,
                               int64_t columns)
{
    const struct handovers *all = lint->handovers;
    lint_spend(lint, all->op_count);
    for (uint32_t i = 0; i < all->op_count; i++) {
        const struct tensor_op *load = &all->ops[i];
        if (lint_effect(lint, load->instr) == EFFECT_ASYNC_LD && load->range_count &&
            reaches_beyond(lint, &load->ranges[0], &mma->ranges[0], columns) &&
            handover_likely_conflict(lint, mma, load) &&
            handover_other_thread(lint, mma->instr, load->instr))
            return load->instr;
    }
    return NO_INSTR;
}

void slots_overlap_report(struct lint *lint, const struct lint_code *code)
{
    const struct handovers *all = lint->handovers;
    for (uint32_t i = 0; i < all->op_count; i++) {
        const struct tensor_op *mma = &all->ops[i];
        if (lint_effect(lint, mma->instr) != EFFECT_ASYNC_MMA || !mma->range_count) continue;
        const struct tmem_range *result = &mma->ranges[0];
        if (value_is_none(result->address) || !result->count) continue;
        struct ring_address ring = ring_address_of(lint, result->address);
        if (!ring.index || ring.columns <= 0 || ring.columns >= result->count) continue;
        if (!is_committed_by_slot(lint, mma, ring.index)) continue;
        uint32_t load = load_from_ring(lint, mma, ring.columns);
        if (load == NO_INSTR) continue;
        lint_report(lint,
                    (struct hazard){code, LINT_WARNING, load, mma->instr,
                                    "%s writes more columns than lie between two slots[ of this "
                                    "ring, so it overwrites what this loads from another slot]",
                                    "put the slots as far apart as the mma writes columns", NULL, 0,
                                    NULL});
        return;
    }
}
