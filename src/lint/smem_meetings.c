/* Sorts the places of shared memory by what smem_places_meet compares. See smem_meetings.h. */
#include "lint/smem_meetings.h"

struct smem_meetings {
    struct smem_places all;
    /* By the bytes that a thread touches: all places. By the address that smem_places_meet compares
     * with another one: loads and copies, stores by lanes, and stages of a ring. */
    struct intervals bytes, lowest, objects, stages;
    struct shared_lists *lists;
};

/* What smem_meetings_of has found for some places, if it was much: accesses to the slots of a ring
 * in turn have the same lists. */
enum { MUCH = 32 };

struct shared_lists {
    struct {
        struct smem_place place;
        struct meeting_list list;
    } at[MEETING_LISTS_MAX];
    uint32_t count;
};

static bool is_store_by_lanes(const struct smem_place *place)
{
    return !place->async && place->writes && place->lanes;
}

/* A load of parts by lanes or iterations, or a copy of which they may load parts. */
static bool is_load_or_copy(const struct smem_place *place)
{
    bool load = !place->async && !place->writes && (place->lanes || place->moves);
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
    kept->lists = arena_room(lint->arena, 1, sizeof *kept->lists);
    kept->lists->count = 0;
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

/* The list that was kept for a place that is alike; NULL: none. */
static const struct meeting_list *kept_list(const struct shared_lists *lists,
                                            const struct smem_place *place)
{
    for (uint32_t i = 0; i < lists->count; i++)
        if (smem_places_alike(&lists->at[i].place, place)) return &lists->at[i].list;
    return NULL;
}

static void share_list(const struct lint *lint, struct shared_lists *lists,
                       const struct smem_place *place, struct meeting_list *list)
{
    if (lists->count == MEETING_LISTS_MAX || list->count < MUCH) return;
    uint32_t *items = arena_room(lint->arena, list->count, sizeof *items);
    memcpy(items, list->at, list->count * sizeof *items);
    list->at = items;
    list->number = lists->count + 1;
    lists->at[lists->count].place = *place;
    lists->at[lists->count++].list = *list;
}

struct meeting_list smem_meetings_of(const struct lint *lint, const struct smem_meetings *meetings,
                                     const struct smem_place *place, struct item_list *room)
{
    const struct meeting_list *known = kept_list(meetings->lists, place);
    struct meeting_list list = {0};
    lint_spend(lint, 1);
    if (known) return *known;
    room->count = 0;
    intervals_find(&meetings->bytes, place->base.base, place->first, end_of(place), room);
    if (is_load_or_copy(place)) meeting_find_at(&meetings->lowest, place, place->lowest, room);
    if (is_store_by_lanes(place)) meeting_find_at(&meetings->lowest, place, place->object, room);
    if (place->async && !place->writes)
        meeting_find_at(&meetings->objects, place, place->lowest, room);
    if (place->ring) meeting_find_at(&meetings->stages, place, place->back, room);
    lint_spend(lint, room->count);
    for (uint32_t i = 0; i < room->count; i++) {
        const struct smem_place *other = &meetings->all.at[room->at[i]];
        if (!smem_places_meet(place, other)) continue;
        room->at[list.count++] = room->at[i];
        if (other->async) list.async[other->writes] = true;
    }
    list.at = room->at;
    share_list(lint, meetings->lists, place, &list);
    return list;
}
