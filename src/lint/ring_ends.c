/* Finds where the arrays of mbarriers end, by what mbarrier.init initialises. See ring_ends.h. */
#include "lint/ring_ends.h"

#include "lint/arrays.h"
#include "lint/mbarriers.h"

enum { RING_STEP = 8 };

struct ring_end *ring_ends_new(const struct lint *lint)
{
    return arena_alloc(lint->arena, mbarriers_kinds(lint), sizeof(struct ring_end));
}

static bool ring_initialised_at(const struct lint *lint, uint32_t base, int64_t offset)
{
    const struct barriers *barriers = lint->subject->barriers;
    lint_spend(lint, barriers->init_count);
    for (uint32_t i = 0; i < barriers->init_count; i++) {
        const struct value object = barriers->uses[barriers->inits[i]].object;
        if (!value_is_none(object) && object.base == base && object.offset == offset) return true;
    }
    return false;
}

static bool ring_initialised_in_loop(const struct lint *lint, uint32_t base)
{
    const struct barriers *barriers = lint->subject->barriers;
    lint_spend(lint, barriers->init_count);
    for (uint32_t i = 0; i < barriers->init_count; i++) {
        const struct barrier_use *use = &barriers->uses[barriers->inits[i]];
        if (use->indexed && !value_is_none(use->object) && use->object.base == base) return true;
    }
    return false;
}

/* An array of mbarriers ends before the first address at which no mbarrier is initialised. */
static int64_t ring_end_of(const struct lint *lint, struct ring_end *ends,
                           const struct barrier_use *array)
{
    struct ring_end *end = &ends[mbarriers_kind(lint, array)];
    if (end->known) return end->at;
    *end = (struct ring_end){true, array->object.offset};
    if (ring_initialised_in_loop(lint, array->object.base)) return end->at = INT64_MAX;
    while (ring_initialised_at(lint, array->object.base, end->at)) end->at += RING_STEP;
    return end->at;
}

bool ring_ends_may_be_same(const struct lint *lint, struct ring_end *ends,
                           const struct barrier_use *a, const struct barrier_use *b)
{
    if (!barriers_may_be_same(a, b)) return false;
    if (value_is_none(a->object) || value_is_none(b->object)) return true;
    if (a->object.base != b->object.base) return true;
    if (a->indexed && b->indexed) return a->object.offset == b->object.offset;
    if (!a->indexed && !b->indexed) return true;
    const struct barrier_use *array = a->indexed ? a : b, *one = a->indexed ? b : a;
    return one->object.offset >= array->object.offset &&
           one->object.offset < ring_end_of(lint, ends, array) &&
           !arrays_likely_others(lint, array, one);
}
