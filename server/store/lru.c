/* Finds entries by key, and keeps them in the order of use. See lru.h: a hash table whose entries
 * are also a list. */
#include "server/store/lru.h"

#include <stdint.h>
#include <string.h>

/* Keys are digests: any of their digits are as good as a hash. */
static size_t lru_slot(const char *key)
{
    uint32_t hash = 0;
    for (int i = 0; i < 8; i++) hash = hash * 31 + (unsigned char)key[i];
    return hash % LRU_SLOTS;
}

struct lru_entry *lru_find(const struct lru *lru, const char *key)
{
    struct lru_entry *entry = lru->slots[lru_slot(key)];
    while (entry && memcmp(entry->key, key, LRU_KEY) != 0) entry = entry->next_in_slot;
    return entry;
}

static void unlink_entry(struct lru *lru, struct lru_entry *entry)
{
    *(entry->newer ? &entry->newer->older : &lru->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &lru->oldest) = entry->newer;
}

static void link_newest(struct lru *lru, struct lru_entry *entry)
{
    entry->newer = NULL;
    entry->older = lru->newest;
    *(lru->newest ? &lru->newest->newer : &lru->oldest) = entry;
    lru->newest = entry;
}

void lru_add(struct lru *lru, struct lru_entry *entry)
{
    struct lru_entry **slot = &lru->slots[lru_slot(entry->key)];
    entry->next_in_slot = *slot;
    *slot = entry;
    link_newest(lru, entry);
    lru->bytes += entry->size;
}

void lru_remove(struct lru *lru, struct lru_entry *entry)
{
    struct lru_entry **at = &lru->slots[lru_slot(entry->key)];
    while (*at != entry) at = &(*at)->next_in_slot;
    *at = entry->next_in_slot;
    unlink_entry(lru, entry);
    lru->bytes -= entry->size;
}

void lru_use(struct lru *lru, struct lru_entry *entry)
{
    unlink_entry(lru, entry);
    link_newest(lru, entry);
}
