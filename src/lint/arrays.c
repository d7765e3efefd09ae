/* Decides which mbarriers are most likely elements of one array. See arrays.h. */
#include "lint/arrays.h"

#include <stdlib.h>

struct arrays {
    struct value *starts; /* start addresses of the arrays: of uses with an index, or by a pointer
                             that a loop advances; sorted by base and offset, without duplicates */
    uint32_t start_count;
    uint32_t *bases; /* of initialized mbarriers, sorted */
    uint32_t base_count;
    struct value *of; /* by use of an mbarrier: the start of its array, or VALUE_NONE */
    bool *indexed;    /* likewise: the object is known, and the address has an index, one that
                         changes or one that does not */
};

/* The offsets at which arrays of mbarriers with the same base begin, around a given offset: the
 * last at or below it (at), the one before that (before), and the first above it (behind).
 * INT64_MIN or INT64_MAX: no such array. */
struct neighbours {
    int64_t at, before, behind;
};

static int compare_starts(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    if (x->base != y->base) return x->base < y->base ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static int compare_bases(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool is_array_base(const struct arrays *arrays, uint32_t base)
{
    return arrays->base_count &&
           bsearch(&base, arrays->bases, arrays->base_count, sizeof *arrays->bases, compare_bases);
}

static void list_bases(const struct lint *lint, struct arrays *arrays)
{
    const struct barriers *all = lint->subject->barriers;
    arrays->bases = arena_alloc(lint->arena, all->init_count, sizeof *arrays->bases);
    for (uint32_t i = 0; i < all->init_count; i++) {
        const struct barrier_use *init = &all->uses[all->inits[i]];
        if (!value_is_none(init->object) && init->object.base)
            arrays->bases[arrays->base_count++] = init->object.base;
    }
    qsort(arrays->bases, arrays->base_count, sizeof *arrays->bases, compare_bases);
}

/* An index that does not change, as the number of a warp: the start of an array of mbarriers is
 * among the terms of the address. VALUE_NONE: there is no such index. */
static struct value start_of_sum(const struct lint *lint, const struct arrays *arrays,
                                 const struct barrier_use *use)
{
    uint32_t terms[EXPR_TERMS_MAX];
    if (is_array_base(arrays, use->object.base)) return VALUE_NONE;
    uint32_t count = exprs_terms(lint->subject->exprs, use->object.base, terms);
    for (uint32_t i = 0; count > 1 && i < count; i++)
        if (is_array_base(arrays, terms[i])) return (struct value){terms[i], use->object.offset};
    return VALUE_NONE;
}

/* The start of the array of a use with an index, or by a pointer that a loop advances from one
 * mbarrier to the next; VALUE_NONE: neither. */
static struct value start_of(const struct lint *lint, const struct arrays *arrays,
                             const struct barrier_use *use)
{
    bool changes;
    if (!value_is_none(use->object))
        return use->indexed ? use->object : start_of_sum(lint, arrays, use);
    struct value first = value_at_first(lint->subject, use->address);
    if (value_is_none(first)) return first;
    return value_fixed_part(lint->subject, first, &changes);
}

/* Sets of to what start_of returns. */
static void find_starts(const struct lint *lint, struct arrays *arrays)
{
    const struct barriers *all = lint->subject->barriers;
    uint32_t count = 0, kept = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        struct value start = arrays->of[i] = start_of(lint, arrays, &all->uses[i]);
        arrays->indexed[i] = !value_is_none(start) && !value_is_none(all->uses[i].object);
        if (!value_is_none(start)) arrays->starts[count++] = start;
    }
    if (count) qsort(arrays->starts, count, sizeof *arrays->starts, compare_starts);
    for (uint32_t i = 0; i < count; i++)
        if (!kept || compare_starts(&arrays->starts[kept - 1], &arrays->starts[i]))
            arrays->starts[kept++] = arrays->starts[i];
    arrays->start_count = kept;
}

/* The index in arrays->starts of the first start above the object. */
static uint32_t start_behind(const struct arrays *arrays, struct value object)
{
    uint32_t low = 0, high = arrays->start_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_starts(&arrays->starts[middle], &object) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct neighbours find_neighbours(const struct arrays *arrays, struct value object)
{
    struct neighbours n = {INT64_MIN, INT64_MIN, INT64_MAX};
    const struct value *starts = arrays->starts;
    uint32_t next = start_behind(arrays, object);
    if (next < arrays->start_count && starts[next].base == object.base)
        n.behind = starts[next].offset;
    if (next && starts[next - 1].base == object.base) n.at = starts[next - 1].offset;
    if (next > 1 && starts[next - 2].base == object.base) n.before = starts[next - 2].offset;
    return n;
}

/* The start of the array that most likely contains the mbarrier, for one role that loops over the
 * array and another role whose loop is unrolled. A full and an empty array of the same length lie
 * next to each other, so the length of an array is at most the distance to the nearest other
 * start. start: start_of the use. */
static struct value find_array(const struct arrays *arrays, const struct barrier_use *of,
                               struct value start)
{
    if (!value_is_none(start) || value_is_none(of->object)) return start;
    struct neighbours n = find_neighbours(arrays, of->object);
    int64_t length = INT64_MAX;
    if (n.at == INT64_MIN) return VALUE_NONE;
    if (n.before != INT64_MIN) length = minus_wrapped(n.at, n.before);
    if (n.behind != INT64_MAX && minus_wrapped(n.behind, n.at) < length)
        length = minus_wrapped(n.behind, n.at);
    if (minus_wrapped(of->object.offset, n.at) >= length) return VALUE_NONE;
    return (struct value){of->object.base, n.at};
}

static struct value array_of(const struct lint *lint, const struct barrier_use *of)
{
    const struct barrier_use *listed = barriers_listed(lint->subject, of);
    if (!listed) return find_array(lint->arrays, of, start_of(lint, lint->arrays, of));
    return lint->arrays->of[listed - lint->subject->barriers->uses];
}

struct arrays *arrays_build(struct lint *lint)
{
    struct arrays *arrays = arena_alloc(lint->arena, 1, sizeof *arrays);
    const struct barriers *all = lint->subject->barriers;
    arrays->of = arena_room(lint->arena, all->count, sizeof *arrays->of);
    arrays->indexed = arena_room(lint->arena, all->count, sizeof *arrays->indexed);
    arrays->starts = arena_room(lint->arena, all->count, sizeof *arrays->starts);
    lint_spend(lint, all->count);
    list_bases(lint, arrays);
    find_starts(lint, arrays);
    for (uint32_t i = 0; i < all->count; i++)
        arrays->of[i] = find_array(arrays, &all->uses[i], arrays->of[i]);
    return arrays;
}

/* The address has an index, one that changes or one that does not. The object is known. */
static bool has_index(const struct lint *lint, const struct barrier_use *use)
{
    const struct barrier_use *listed = barriers_listed(lint->subject, use);
    if (listed) return lint->arrays->indexed[listed - lint->subject->barriers->uses];
    return use->indexed || !value_is_none(start_of_sum(lint, lint->arrays, use));
}

bool arrays_likely_same(const struct lint *lint, const struct barrier_use *a,
                        const struct barrier_use *b)
{
    bool known = !value_is_none(a->object) && !value_is_none(b->object);
    bool alike =
        known && a->indexed == b->indexed && (a->indexed || a->object.base == b->object.base);
    return !alike && value_same(array_of(lint, a), array_of(lint, b));
}

bool arrays_likely_others(const struct lint *lint, const struct barrier_use *a,
                          const struct barrier_use *b)
{
    if (!barriers_may_be_same(a, b)) return true;
    bool known = !value_is_none(a->object) && !value_is_none(b->object);
    if (known && !has_index(lint, a) && !has_index(lint, b)) return false;
    struct value x = array_of(lint, a), y = array_of(lint, b);
    if (known) return !value_same(x, y);
    return !value_is_none(x) && x.base == y.base && x.offset != y.offset;
}
