/* Finds the writes for each slot that bulk stores read. See bulk_writes.h. */
#include "lint/bulk_writes.h"

#include "base/sorted.h"
#include "value/condition_pairs.h"

/* What decides which writes there are for a store, and which signals are for its slot. A key of
 * intern: no padding. */
struct store_key {
    int64_t first, lowest, object, back, range_first, range_end;
    uint32_t base, size, range_base, index, flags, unused;
};

static struct store_key store_key_of(const struct smem_place *store, const struct bulk_slot *slot)
{
    const struct smem_range *range = &store->range;
    const bool flags[] = {store->async, store->copy,   store->writes, store->lanes, store->moves,
                          store->ring,  store->around, store->shared, range->known, slot->fixed};
    struct store_key key = {.first = store->first,
                            .lowest = store->lowest,
                            .object = store->object,
                            .back = store->back,
                            .range_first = range->first,
                            .range_end = range->end,
                            .base = store->base.base,
                            .size = store->size,
                            .range_base = range->base,
                            .index = slot->index};
    for (uint32_t i = 0; i < sizeof flags / sizeof *flags; i++)
        key.flags |= (uint32_t)flags[i] << i;
    return key;
}

struct bulk_stores bulk_stores_begin(struct lint *lint)
{
    return (struct bulk_stores){.places = smem_places_find(lint),
                                .meetings = smem_meetings_find(lint)};
}

void bulk_stores_end(struct bulk_stores *stores)
{
    for (uint32_t i = 0; i < stores->writes.count; i++) vec_free(&stores->writes.at[i].releases);
    vec_free(&stores->writes);
    intern_free(&stores->keys);
}

/* Of places that meet: the write may overlap what the store reads. If each thread writes its own
 * place, the lowest place must be where the store begins to read. */
static bool overwrites_store(const struct smem_place *store, const struct smem_place *write)
{
    if (!write->writes) return false;
    return !write->lanes || write->lowest == store->lowest || write->object == store->lowest;
}

/* Copies the items to *at and *count. */
static void keep_items(const struct lint *lint, const struct item_list *items, uint32_t **at,
                       uint32_t *count)
{
    *at = arena_room(lint->arena, items->count, sizeof **at);
    *count = items->count;
    if (items->count) memcpy(*at, items->at, items->count * sizeof **at);
}

/* Sets lasts. */
static void find_lasts(const struct lint *lint, const struct bulk_stores *stores,
                       struct bulk_writes *writes)
{
    struct intern seen = {0};
    struct item_list lasts = {0};
    writes->lasts = writes->at;
    writes->last_count = writes->count;
    if (writes->count < 2) return;
    for (uint32_t i = writes->count; i-- > 0;) {
        uint32_t write = stores->places.at[writes->at[i]].instr, known = seen.count;
        const uint32_t *block = &lint->cfg->block_of[write];
        (void)intern_add(&seen, condition_pairs_number(lint->subject, write),
                         (struct str){(const char *)block, sizeof *block});
        if (seen.count > known) vec_push(&lasts, writes->at[i]);
    }
    items_sort(&lasts, 0);
    keep_items(lint, &lasts, &writes->lasts, &writes->last_count);
    vec_free(&lasts);
    intern_free(&seen);
}

struct bulk_writes *bulk_writes_of(const struct lint *lint, struct bulk_stores *stores,
                                   const struct smem_place *store, const struct bulk_slot *slot)
{
    const struct store_key key = store_key_of(store, slot);
    struct str bytes = {(const char *)&key, sizeof key};
    uint32_t number = intern_find(&stores->keys, 0, bytes);
    if (number != INTERN_NONE) return &stores->writes.at[number];
    struct bulk_writes writes = {.number = stores->writes.count};
    struct item_list room = {0}, found = {0};
    const struct meeting_list near = smem_meetings_of(lint, stores->meetings, store, &room);
    for (uint32_t i = 0; i < near.count; i++)
        if (overwrites_store(store, &stores->places.at[near.at[i]])) vec_push(&found, near.at[i]);
    items_sort(&found, 0);
    keep_items(lint, &found, &writes.at, &writes.count);
    vec_free(&room);
    vec_free(&found);
    find_lasts(lint, stores, &writes);
    bytes.p = arena_copy(lint->arena, bytes.p, bytes.n);
    (void)intern_add(&stores->keys, 0, bytes);
    vec_push(&stores->writes, writes);
    return &stores->writes.at[writes.number];
}

const struct smem_place *bulk_write_at(const struct bulk_stores *stores,
                                       const struct bulk_writes *writes, uint32_t instr)
{
    uint32_t count;
    const struct smem_place *access = smem_places_of(&stores->places, instr, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = (uint32_t)(&access[i] - stores->places.at);
        uint32_t k = sorted_find(writes->at, 0, writes->count, place);
        if (k < writes->count && writes->at[k] == place) return &access[i];
    }
    return NULL;
}

uint32_t bulk_writes_behind(const struct bulk_stores *stores, const struct bulk_writes *writes,
                            uint32_t instr)
{
    return sorted_find(writes->lasts, 0, writes->last_count, stores->places.of[instr]);
}

const struct smem_place *bulk_write_from(const struct bulk_stores *stores,
                                         const struct bulk_writes *writes, uint32_t first,
                                         uint32_t i)
{
    uint32_t at = first + i < writes->last_count ? first + i : first + i - writes->last_count;
    return &stores->places.at[writes->lasts[at]];
}
