/* Finds the likely place of each access, and whether two accesses are to the same place. See
 * smem_place.h. */
#include "lint/smem_place.h"

#include <stdlib.h>

#include "lint/smem_origin.h"

struct finding {
    struct lint *lint;
    struct smem_places list, marks; /* marks: mbarriers, and words for addresses of tensor memory */
};

/* A known start of an object. */
struct beginning {
    uint32_t base;
    int64_t at;  /* bytes after base */
    bool filled; /* copies write the object */
    bool moves;  /* the address changes in a loop */
};

struct beginnings VEC(struct beginning);

/* ---- from accesses ---- */

/* Removes the other fields of a descriptor, which are added to it as constants. */
static void cut_to_field(struct smem_origin *o)
{
    if (o->at > DESCRIPTOR_ADDRESS) o->at &= DESCRIPTOR_ADDRESS;
    if (o->back > DESCRIPTOR_ADDRESS) o->back &= DESCRIPTOR_ADDRESS;
}

static void smem_add_place(struct finding *f, const struct smem_access *access)
{
    struct smem_origin o = smem_origin_of(f->lint->tracing, access->instr, access->operand);
    if (!o.known || !o.base || (o.shift != 0) != access->descriptor) return;
    if (access->descriptor) cut_to_field(&o);
    struct smem_place place = {.instr = access->instr,
                               .async = access->async,
                               .copy = access->copy,
                               .writes = access->writes,
                               .size = access->size,
                               .base = {o.base, 0},
                               .first = times_wrapped(o.at, 1 << o.shift),
                               .ring = o.ring,
                               .back = times_wrapped(plus_wrapped(o.back, o.low), 1 << o.shift),
                               .lanes = o.lanes,
                               .moves = o.moves,
                               .around = o.around,
                               .range = smem_range_of(f->lint->subject, access)};
    place.lowest = plus_wrapped(place.first, times_wrapped(o.low, 1 << o.shift));
    if (access->word)
        vec_push(&f->marks, place);
    else
        vec_push(&f->list, place);
}

/* ---- interface ---- */

/* Adds the addresses of the accesses as starts of objects, except those of stores by threads, which
 * may be to the middle of an object. */
static void add_beginnings(const struct smem_places *places, struct beginnings *all)
{
    for (uint32_t i = 0; i < places->count; i++) {
        const struct smem_place *a = &places->at[i];
        if (a->async || !a->writes)
            vec_push(all, ((struct beginning){a->base.base, a->lowest, a->async && a->writes,
                                              a->moves}));
    }
}

static int compare_beginnings(const void *a, const void *b)
{
    const struct beginning *x = a, *y = b;
    if (x->base != y->base) return x->base < y->base ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Sorts the starts by address and removes duplicates. */
static void sort_beginnings(struct beginnings *all)
{
    uint32_t kept = 0;
    if (all->count) qsort(all->at, all->count, sizeof *all->at, compare_beginnings);
    for (uint32_t i = 0; i < all->count; i++) {
        struct beginning *last = kept ? &all->at[kept - 1] : NULL;
        if (!last || compare_beginnings(last, &all->at[i])) {
            all->at[kept++] = all->at[i];
            continue;
        }
        last->filled |= all->at[i].filled;
        last->moves |= all->at[i].moves;
    }
    all->count = kept;
}

/* Finds the object to which the store belongs: the access that begins nearest at or below the
 * lowest address of the store. The end of an array is not known. */
static void find_object(const struct beginnings *all, struct smem_place *store)
{
    struct beginning key = {.base = store->base.base, .at = store->lowest};
    uint32_t low = 0, high = all->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_beginnings(&all->at[middle], &key) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || all->at[low - 1].base != key.base) return;
    const struct beginning *nearest = &all->at[low - 1];
    bool far = store->lowest - nearest->at >= SMALL_SWIZZLE;
    store->object = nearest->at;
    store->shared = nearest->filled || (nearest->moves && !store->moves && far);
}

struct smem_places smem_places_find(struct lint *lint)
{
    struct finding f = {.lint = lint};
    struct beginnings beginnings = {0};
    if (lint->places) return *lint->places;
    const struct smem_accesses *accesses = smem_accesses_find(lint->subject);
    smem_origins_begin(lint);
    for (uint32_t i = 0; i < accesses->count; i++) smem_add_place(&f, &accesses->at[i]);
    lint_spend(lint, (uint64_t)f.list.count + f.marks.count);
    add_beginnings(&f.list, &beginnings);
    add_beginnings(&f.marks, &beginnings);
    sort_beginnings(&beginnings);
    for (uint32_t i = 0; i < f.list.count; i++) {
        struct smem_place *access = &f.list.at[i];
        access->object = INT64_MIN;
        if (access->async || !access->lanes || !access->writes) continue;
        find_object(&beginnings, access);
    }
    vec_free(&beginnings);
    vec_free(&f.marks);
    f.list.of = arena_alloc(lint->arena, lint->function->count, sizeof *f.list.of);
    for (uint32_t i = f.list.count; i-- > 0;) f.list.of[f.list.at[i].instr] = i + 1;
    lint->places = arena_alloc(lint->arena, 1, sizeof *lint->places);
    *lint->places = f.list;
    return f.list;
}

void smem_places_free(struct lint *lint)
{
    if (lint->places) vec_free(lint->places);
}

/* The store writes what the other access reads. An mma reads parts of a tile, of which not all may
 * be known, and an object that copies also fill has several shapes; for these the lowest addresses
 * must be equal. */
static bool is_stored_for(const struct smem_place *store, const struct smem_place *reads)
{
    return !store->async && store->writes && store->lanes && reads->async && !reads->writes &&
           store->object == reads->lowest &&
           (store->lowest == reads->lowest || (reads->copy && !store->shared));
}

/* Each thread, or each iteration of a loop, loads its own part of what the copy writes, and the
 * lowest part begins where the copy begins. */
static bool is_loaded_of(const struct smem_place *load, const struct smem_place *copy)
{
    return !load->async && !load->writes && (load->lanes || load->moves) && copy->copy &&
           copy->writes && load->lowest == copy->lowest;
}

/* Both are stages of one ring: what is at the beginning of a stage is at the same place in some
 * iteration. */
static bool is_same_stage(const struct smem_place *a, const struct smem_place *b)
{
    return a->ring && b->ring && a->back == b->back && !(a->around && b->around);
}

const struct smem_place *smem_places_of(const struct smem_places *places, uint32_t instr,
                                        uint32_t *count)
{
    uint32_t first = places->of[instr] - 1;
    *count = 0;
    if (!places->of[instr]) return NULL;
    while (first + *count < places->count && places->at[first + *count].instr == instr) ++*count;
    return places->at + first;
}

bool smem_places_alike(const struct smem_place *a, const struct smem_place *b)
{
    return a->lowest == b->lowest && a->first == b->first && a->base.base == b->base.base &&
           a->size == b->size && a->back == b->back && a->object == b->object &&
           a->async == b->async && a->copy == b->copy && a->writes == b->writes &&
           a->lanes == b->lanes && a->moves == b->moves && a->ring == b->ring &&
           a->around == b->around && a->shared == b->shared &&
           smem_ranges_same(&a->range, &b->range);
}

bool smem_places_meet(const struct smem_place *a, const struct smem_place *b)
{
    if (a->base.base != b->base.base || smem_ranges_apart(&a->range, &b->range)) return false;
    if (is_same_stage(a, b)) return true;
    bool same_moves = a->moves == b->moves || a->lowest == b->lowest;
    if (!same_moves) return false;
    if (is_stored_for(a, b) || is_stored_for(b, a)) return true;
    if (is_loaded_of(a, b) || is_loaded_of(b, a)) return true;
    if (a->moves != b->moves) return false;
    if (a->around || b->around) return false;
    bool a_within = b->first <= a->first && a->first < plus_wrapped(b->first, b->size);
    bool b_within = a->first <= b->first && b->first < plus_wrapped(a->first, a->size);
    if (a->lanes && b->lanes) return a->first == b->first;
    if (a->lanes || b->lanes) return a->lanes ? a_within : b_within;
    return a_within || b_within;
}
