/* Sorts the places of shared memory by what smem_places_meet compares. See smem_meetings.h. */
#include "lint/smem_meetings.h"

struct smem_meetings {
    struct smem_places all;
    /* By the bytes that a thread touches: all places. By the address that smem_places_meet compares
     * with another one: loads and copies, stores by lanes, and stages of a ring. */
    struct intervals bytes, lowest, objects, stages;
    struct shared_lists *lists;
};

/* What smem_meetings_of has found for some places, if it was much: accesses to a few slots in turn
 * have the same lists. */
enum { LISTS_MAX = 8, MUCH = 32 };

struct shared_lists {
    struct {
        struct smem_place place;
        uint32_t *items, count;
    } at[LISTS_MAX];
    uint32_t count;
};

static bool is_store_by_lanes(const struct smem_place *place)
{
    return !place->async && place->writes && place->lanes;
}

/* A load by lanes, or a copy of which they may load parts. */
static bool is_load_or_copy(const struct smem_place *place)
{
    bool load = !place->async && !place->writes && place->lanes;
    return load || (place->copy && place->writes);
}

static int64_t end_of(const struct smem_place *place)
{
    int64_t end;
    bool whole = place->size && !__builtin_add_overflow(place->first, place->size, &end);
    return whole ? end : plus_wrapped(place->first, 1);
}

static void meeting_add_at(struct interval_list *list, const struct smem_place *place,
                           uint32_t item, int64_t at)
{
    vec_push(list, ((struct interval){place->base.base, item, at, plus_wrapped(at, 1)}));
}

/* Sorts the list, and empties it. */
static struct intervals sort_list(const struct lint *lint, struct interval_list *list)
{
    struct intervals sorted = intervals_sort(lint->arena, list);
    lint_spend(lint, list->count);
    list->count = 0;
    return sorted;
}

const struct smem_meetings *smem_meetings_find(struct lint *lint)
{
    struct interval_list list = {0};
    if (lint->meetings) return lint->meetings;
    struct smem_meetings *kept = arena_alloc(lint->arena, 1, sizeof *kept);
    kept->all = smem_places_find(lint);
    kept->lists = arena_alloc(lint->arena, 1, sizeof *kept->lists);
    const struct smem_place *at = kept->all.at;
    uint32_t count = kept->all.count;
    for (uint32_t i = 0; i < count; i++)
        vec_push(&list, ((struct interval){at[i].base.base, i, at[i].first, end_of(&at[i])}));
    kept->bytes = sort_list(lint, &list);
    /* in the order of the bytes, which is mostly that of the other addresses, too */
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = kept->bytes.at[k].item;
        if (is_load_or_copy(&at[i]) || (at[i].async && !at[i].writes))
            meeting_add_at(&list, &at[i], i, at[i].lowest);
    }
    kept->lowest = sort_list(lint, &list);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = kept->bytes.at[k].item;
        if (is_store_by_lanes(&at[i])) meeting_add_at(&list, &at[i], i, at[i].object);
    }
    kept->objects = sort_list(lint, &list);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = kept->bytes.at[k].item;
        if (at[i].ring) meeting_add_at(&list, &at[i], i, at[i].back);
    }
    kept->stages = sort_list(lint, &list);
    vec_free(&list);
    return lint->meetings = kept;
}

static void meeting_find_at(const struct intervals *in, const struct smem_place *place, int64_t at,
                            struct item_list *found)
{
    intervals_find(in, place->base.base, at, plus_wrapped(at, 1), found);
}

/* Sets *found from a list of a place that is alike. */
static bool take_list(const struct shared_lists *lists, const struct smem_place *place,
                      struct item_list *found)
{
    for (uint32_t i = 0; i < lists->count; i++) {
        if (!smem_places_alike(&lists->at[i].place, place)) continue;
        vec_reserve(found, lists->at[i].count);
        memcpy(found->at, lists->at[i].items, lists->at[i].count * sizeof *found->at);
        found->count = lists->at[i].count;
        return true;
    }
    return false;
}

static void share_list(const struct lint *lint, struct shared_lists *lists,
                       const struct smem_place *place, const struct item_list *found)
{
    if (lists->count == LISTS_MAX || found->count < MUCH) return;
    uint32_t *items = arena_room(lint->arena, found->count, sizeof *items);
    memcpy(items, found->at, found->count * sizeof *items);
    lists->at[lists->count].place = *place;
    lists->at[lists->count].items = items;
    lists->at[lists->count++].count = found->count;
}

void smem_meetings_of(const struct lint *lint, const struct smem_meetings *meetings,
                      const struct smem_place *place, struct item_list *found)
{
    uint32_t kept = 0;
    found->count = 0;
    if (take_list(meetings->lists, place, found)) {
        lint_spend(lint, found->count / 64 + 1);
        return;
    }
    intervals_find(&meetings->bytes, place->base.base, place->first, end_of(place), found);
    if (is_load_or_copy(place)) meeting_find_at(&meetings->lowest, place, place->lowest, found);
    if (is_store_by_lanes(place)) meeting_find_at(&meetings->lowest, place, place->object, found);
    if (place->async && !place->writes)
        meeting_find_at(&meetings->objects, place, place->lowest, found);
    if (place->ring) meeting_find_at(&meetings->stages, place, place->back, found);
    lint_spend(lint, found->count + 1);
    for (uint32_t i = 0; i < found->count; i++)
        if (smem_places_meet(place, &meetings->all.at[found->at[i]]))
            found->at[kept++] = found->at[i];
    found->count = kept;
    share_list(lint, meetings->lists, place, found);
}
