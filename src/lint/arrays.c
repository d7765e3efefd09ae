/* Tells which mbarriers most likely are of one array. See arrays.h. */
#include "lint/arrays.h"

struct arrays {
    struct value *of; /* by use of an mbarrier */
    bool *asked;
};

/* Where the arrays of mbarriers that begin next before (or at) and behind an offset begin. */
struct neighbours {
    int64_t at, before, behind;
};

static struct neighbours find_neighbours(const struct lint *lint, struct value object)
{
    struct neighbours n = {INT64_MIN, INT64_MIN, INT64_MAX};
    lint_spend(lint, lint->subject->barriers->count);
    for (uint32_t i = 0; i < lint->subject->barriers->count; i++) {
        const struct barrier_use *use = &lint->subject->barriers->uses[i];
        int64_t start = use->object.offset;
        if (!use->indexed || use->object.base != object.base || start == n.at) continue;
        if (start > object.offset) {
            if (start < n.behind) n.behind = start;
        } else if (start > n.at) {
            n.before = n.at;
            n.at = start;
        } else if (start > n.before) {
            n.before = start;
        }
    }
    return n;
}

/* The array that the mbarrier is most likely of, where one role goes round it and the other has its
 * loop unrolled: they come in pairs of one length, full and empty, and so end within the distance
 * of the nearest. */
static struct value find_array(const struct lint *lint, const struct barrier_use *of)
{
    struct neighbours n = find_neighbours(lint, of->object);
    int64_t length = INT64_MAX;
    if (of->indexed) return of->object;
    if (n.at == INT64_MIN) return VALUE_NONE;
    if (n.before != INT64_MIN) length = minus_wrapped(n.at, n.before);
    if (n.behind != INT64_MAX && minus_wrapped(n.behind, n.at) < length)
        length = minus_wrapped(n.behind, n.at);
    if (minus_wrapped(of->object.offset, n.at) >= length) return VALUE_NONE;
    return (struct value){of->object.base, n.at};
}

static struct value array_of(const struct lint *lint, const struct barrier_use *of)
{
    const struct barriers *barriers = lint->subject->barriers;
    struct arrays *arrays = lint->arrays;
    if (of < barriers->uses || of >= barriers->uses + barriers->count) return find_array(lint, of);
    uint32_t use = (uint32_t)(of - barriers->uses);
    if (!arrays->asked[use]) arrays->of[use] = find_array(lint, of);
    arrays->asked[use] = true;
    return arrays->of[use];
}

struct arrays *arrays_build(struct lint *lint)
{
    struct arrays *arrays = arena_alloc(lint->arena, 1, sizeof *arrays);
    uint32_t count = lint->subject->barriers->count;
    arrays->of = arena_alloc(lint->arena, count, sizeof *arrays->of);
    arrays->asked = arena_alloc(lint->arena, count, sizeof *arrays->asked);
    return arrays;
}

bool arrays_likely_same(const struct lint *lint, const struct barrier_use *a,
                        const struct barrier_use *b)
{
    return a->indexed != b->indexed && value_same(array_of(lint, a), array_of(lint, b));
}

bool arrays_likely_others(const struct lint *lint, const struct barrier_use *a,
                          const struct barrier_use *b)
{
    if (!barriers_may_be_same(a, b)) return true;
    bool known = !value_is_none(a->object) && !value_is_none(b->object);
    if (!known || (!a->indexed && !b->indexed)) return false;
    return !value_same(array_of(lint, a), array_of(lint, b));
}
