/* Decides whether two uses may be of the same mbarrier. Uses with equal objects and addresses are
 * one kind; the result for each pair of kinds is computed once. See mbarriers.h. */
#include "lint/mbarriers.h"

#include <stdlib.h>

#include "base/intern.h"
#include "base/mem.h"
#include "value/values.h"

enum { UNDECIDED, OTHERS, MEET };

#define BYTES_UNDECIDED INT64_MIN
#define COUNT_UNREAD INT64_MIN

/* What mbarrier.init says about the arrays: sorted by base and offset. */
struct array_bounds {
    bool all_known;      /* the address of each initialisation is known */
    struct value *inits; /* of the initialised mbarriers */
    int64_t *ends; /* by index in inits: the offset of the last mbarrier of those that lie next to
                      each other from that one on */
    struct value *starts; /* of the arrays, by uses with an index that do not initialise */
    uint32_t init_count, start_count;
};

struct mbarriers {
    struct array_bounds *bounds; /* NULL: not needed yet */
    uint32_t *kinds;             /* by use: the number of its kind */
    uint32_t count;              /* number of kinds */
    uint8_t **decided;           /* by kind of an array, then by any kind; NULL: none computed */
    int64_t *bytes;  /* by kind of an array: its size; BYTES_UNDECIDED: not computed yet */
    int64_t *counts; /* by use: see mbarriers_counted; COUNT_UNREAD: not read yet */
};

/* A key for intern, which compares all bytes: the struct must have no padding. */
struct kind_key {
    int64_t object, address;
    uint32_t address_base, flags;
};

/* ---- two uses ---- */

enum { MBARRIER_BYTES = 8 };

static int compare_addresses(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    if (x->base != y->base) return x->base < y->base ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static void find_runs(struct array_bounds *bounds)
{
    const struct value *inits = bounds->inits;
    for (uint32_t i = bounds->init_count; i-- > 0;) {
        bool next = i + 1 < bounds->init_count && inits[i + 1].base == inits[i].base &&
                    minus_wrapped(inits[i + 1].offset, inits[i].offset) <= MBARRIER_BYTES;
        bounds->ends[i] = next ? bounds->ends[i + 1] : inits[i].offset;
    }
}

static struct array_bounds *find_bounds(const struct lint *lint)
{
    const struct barriers *all = lint->subject->barriers;
    struct array_bounds *bounds = arena_alloc(lint->arena, 1, sizeof *bounds);
    bounds->all_known = true;
    bounds->inits = arena_room(lint->arena, all->init_count, sizeof *bounds->inits);
    bounds->starts = arena_room(lint->arena, all->count, sizeof *bounds->starts);
    bounds->ends = arena_room(lint->arena, all->init_count, sizeof *bounds->ends);
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct barrier_use *use = &all->uses[i];
        if (use->kind == BARRIER_INIT && !use->indexed && !value_is_none(use->object))
            bounds->inits[bounds->init_count++] = use->object;
        else if (use->kind == BARRIER_INIT)
            bounds->all_known = false;
        else if (use->indexed)
            bounds->starts[bounds->start_count++] = use->object;
    }
    qsort(bounds->inits, bounds->init_count, sizeof *bounds->inits, compare_addresses);
    qsort(bounds->starts, bounds->start_count, sizeof *bounds->starts, compare_addresses);
    find_runs(bounds);
    return bounds;
}

/* The index of the first address that is not below the given one. */
static uint32_t first_from(const struct value *sorted, uint32_t count, struct value address)
{
    uint32_t low = 0;
    while (low < count) {
        uint32_t middle = low + (count - low) / 2;
        if (compare_addresses(&sorted[middle], &address) < 0)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* An array of mbarriers that begins at offset `low` may contain the mbarrier at `high`. False only
 * if the addresses of all initialisations are known, and one from `low` to `high` is missing or
 * another array begins between them (to_the_end: or at `high`). */
static bool array_may_go_on(const struct lint *lint, uint32_t base, int64_t low, int64_t high,
                            bool to_the_end)
{
    struct mbarriers *kept = lint->mbarriers;
    if (!kept->bounds) kept->bounds = find_bounds(lint);
    const struct array_bounds *bounds = kept->bounds;
    const struct value *inits = bounds->inits, *starts = bounds->starts;
    uint32_t init = first_from(inits, bounds->init_count, (struct value){base, INT64_MIN});
    if (!bounds->all_known || init == bounds->init_count || inits[init].base != base) return true;
    uint32_t start = first_from(starts, bounds->start_count, (struct value){base, low + 1});
    if (start < bounds->start_count && starts[start].base == base &&
        (starts[start].offset < high || (to_the_end && starts[start].offset == high)))
        return false;
    init = first_from(inits, bounds->init_count, (struct value){base, low});
    return init < bounds->init_count && inits[init].base == base && inits[init].offset == low &&
           high <= bounds->ends[init];
}

/* An index in bytes: a multiple of stride, at most `most`. 0: unknown. */
struct steps {
    int64_t stride, most;
};

static struct steps steps_of_index(const struct lint *lint, struct value index)
{
    const struct expr *e = value_expr(lint->subject, index);
    if (e->fixed || index.offset) return (struct steps){0, 0};
    if (e->kind == EXPR_PRODUCT) {
        int64_t factor = e->a[1].offset;
        return (struct steps){factor, times_wrapped(steps_of_index(lint, e->a[0]).most, factor)};
    }
    bool masks = e->kind == EXPR_OP && e->spelling == SPELLING_AND;
    for (int i = 0; masks && i < 2; i++) {
        int64_t mask = e->a[i].offset;
        if (!e->a[i].base && mask > 0) return (struct steps){mask & -mask, mask};
    }
    return (struct steps){0, 0};
}

/* The steps of an address that is the sum of a fixed address and an index. */
static struct steps steps_of(const struct lint *lint, const struct barrier_use *use)
{
    const struct expr *sum = value_expr(lint->subject, use->address);
    for (int i = 0; sum->kind == EXPR_SUM && i < 2; i++)
        if (value_is_fixed(lint->subject, sum->a[1 - i])) return steps_of_index(lint, sum->a[i]);
    return (struct steps){0, 0};
}

int64_t mbarriers_indexed_bytes(const struct lint *lint, const struct barrier_use *array)
{
    struct steps steps = steps_of(lint, array);
    return steps.most ? plus_wrapped(steps.most, steps.stride) : 0;
}

/* The size of the array in bytes: from its index, or the distance to the next array with the same
 * index (full[i] ends where empty[i] begins). 0: unknown. */
static int64_t find_array_bytes(const struct lint *lint, const struct barrier_use *array)
{
    const struct barriers *all = lint->subject->barriers;
    struct steps steps = steps_of(lint, array);
    int64_t bytes = mbarriers_indexed_bytes(lint, array);
    lint_spend(lint, all->count);
    if (bytes) return bytes;
    for (uint32_t i = 0; steps.stride > 0 && i < all->count; i++) {
        const struct barrier_use *use = &all->uses[i];
        if (!use->indexed || use->address.base != array->address.base) continue;
        int64_t apart = minus_wrapped(use->object.offset, array->object.offset);
        if (apart < 0) apart = minus_wrapped(0, apart);
        if (apart && apart < steps.stride) return 0; /* the elements of the arrays alternate */
        if (apart % steps.stride == 0 && apart && (!bytes || apart < bytes)) bytes = apart;
    }
    return bytes;
}

/* As find_array_bytes, computed once for each kind. */
static int64_t array_bytes(const struct lint *lint, const struct barrier_use *array)
{
    const struct mbarriers *kept = lint->mbarriers;
    const struct barrier_use *listed = barriers_listed(lint->subject, array);
    if (!listed) return find_array_bytes(lint, array);
    int64_t *bytes = &kept->bytes[mbarriers_kind(lint, listed)];
    if (*bytes == BYTES_UNDECIDED) *bytes = find_array_bytes(lint, array);
    return *bytes;
}

/* Compares the addresses alone. UNDECIDED: the result depends on the end of an array. */
static int meet_by_address(const struct barrier_use *a, const struct barrier_use *b)
{
    struct value x = a->object, y = b->object;
    if (!barriers_may_be_same(a, b)) return OTHERS;
    if (value_is_none(x) || value_is_none(y) || x.base != y.base) return MEET;
    return x.offset == y.offset ? MEET : UNDECIDED;
}

/* Decides for two uses of one variable, at least one of them of an array. */
static bool may_meet_in_array(const struct lint *lint, const struct barrier_use *a,
                              const struct barrier_use *b)
{
    struct value x = a->object, y = b->object;
    if (a->indexed && b->indexed)
        return array_may_go_on(lint, x.base, x.offset < y.offset ? x.offset : y.offset,
                               x.offset < y.offset ? y.offset : x.offset, false);
    int64_t array = a->indexed ? x.offset : y.offset, one = a->indexed ? y.offset : x.offset;
    int64_t bytes = array_bytes(lint, a->indexed ? a : b);
    if (bytes && one >= plus_wrapped(array, bytes)) return false;
    return array < one && array_may_go_on(lint, x.base, array, one, true);
}

/* ---- two kinds ---- */

struct mbarriers *mbarriers_build(struct lint *lint)
{
    const struct barriers *all = lint->subject->barriers;
    struct mbarriers *kept = arena_alloc(lint->arena, 1, sizeof *kept);
    struct kind_key *keys = mem_alloc((all->count + 1) * sizeof *keys);
    struct intern kinds = {0};
    kept->kinds = arena_alloc(lint->arena, all->count, sizeof *kept->kinds);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct barrier_use *use = &all->uses[i];
        keys[i] = (struct kind_key){use->object.offset, use->address.offset, use->address.base,
                                    (uint32_t)use->indexed << 1 | use->variable};
        struct str name = {(const char *)&keys[i], sizeof keys[i]};
        kept->kinds[i] = intern_add(&kinds, use->object.base, name);
    }
    kept->count = kinds.count;
    kept->counts = arena_room(lint->arena, all->count, sizeof *kept->counts);
    for (uint32_t i = 0; i < all->count; i++) kept->counts[i] = COUNT_UNREAD;
    kept->decided = arena_alloc(lint->arena, kinds.count, sizeof *kept->decided);
    kept->bytes = arena_room(lint->arena, kinds.count, sizeof *kept->bytes);
    for (uint32_t k = 0; k < kinds.count; k++) kept->bytes[k] = BYTES_UNDECIDED;
    intern_free(&kinds);
    mem_free(keys);
    return kept;
}

uint32_t mbarriers_kind(const struct lint *lint, const struct barrier_use *use)
{
    return lint->mbarriers->kinds[use - lint->subject->barriers->uses];
}

uint32_t mbarriers_kinds(const struct lint *lint)
{
    return lint->mbarriers->count;
}

/* Where the result for the pair is stored: in the row of the array, or, for two arrays, in the row
 * of the greater number. */
static uint8_t *answer_of(const struct lint *lint, const struct barrier_use *a,
                          const struct barrier_use *b)
{
    const struct mbarriers *kept = lint->mbarriers;
    const struct barrier_use *uses = lint->subject->barriers->uses;
    uint32_t x = kept->kinds[a - uses], y = kept->kinds[b - uses];
    bool first = a->indexed && (!b->indexed || x > y);
    uint8_t **row = &kept->decided[first ? x : y];
    if (!*row) {
        *row = arena_alloc(lint->arena, kept->count, sizeof **row);
        lint_spend(lint, kept->count / 64);
    }
    return &(*row)[first ? y : x];
}

bool mbarriers_meet(const struct lint *lint, const struct barrier_use *a,
                    const struct barrier_use *b)
{
    int meet = meet_by_address(a, b);
    if (meet != UNDECIDED) return meet == MEET;
    const struct barrier_use *x = barriers_listed(lint->subject, a),
                             *y = barriers_listed(lint->subject, b);
    if (!x || !y) return may_meet_in_array(lint, a, b);
    uint8_t *answer = answer_of(lint, x, y);
    if (*answer == UNDECIDED) *answer = may_meet_in_array(lint, a, b) ? MEET : OTHERS;
    return *answer == MEET;
}

int64_t mbarriers_counted(const struct lint *lint, const struct barrier_use *init)
{
    uint32_t use = lint->subject->barriers->place[init->instr] - 1;
    int64_t *count = &lint->mbarriers->counts[use];
    if (*count != COUNT_UNREAD) return *count;
    struct value v = value_of_operand(lint->subject, init->instr, 1);
    return *count = value_is_constant(v) ? v.offset : 0;
}
