/* Keeps results in the memory of the process. A hash table whose entries are also a list in order
 * of use. */
#include "server/store/cache.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "server/base/attempt.h"

enum { KEY = 64, SLOTS = 1 << 14, LARGEST_SHARE = 8 };

struct entry {
    struct entry *next_in_slot;
    struct entry *newer, *older;
    char key[KEY];
    size_t len;
    char value[];
};

struct cache {
    pthread_mutex_t lock;
    size_t budget, bytes;
    struct entry *newest, *oldest;
    struct entry *slots[SLOTS];
};

struct cache *cache_new(size_t budget)
{
    struct cache *cache = mem_zalloc(1, sizeof *cache);
    pthread_mutex_init(&cache->lock, NULL);
    cache->budget = budget;
    return cache;
}

/* Keys are digests: any of their digits are as good as a hash. */
static struct entry **cache_slot(struct cache *cache, const char *key)
{
    uint32_t hash = 0;
    for (int i = 0; i < 8; i++) hash = hash * 31 + (unsigned char)key[i];
    return &cache->slots[hash % SLOTS];
}

static struct entry **cache_find(struct cache *cache, const char *key)
{
    struct entry **at = cache_slot(cache, key);
    while (*at && memcmp((*at)->key, key, KEY) != 0) at = &(*at)->next_in_slot;
    return at;
}

static void unlink_entry(struct cache *cache, struct entry *entry)
{
    *(entry->newer ? &entry->newer->older : &cache->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &cache->oldest) = entry->newer;
}

static void link_newest(struct cache *cache, struct entry *entry)
{
    entry->newer = NULL;
    entry->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = entry;
    cache->newest = entry;
}

static void cache_drop(struct cache *cache, struct entry *entry)
{
    *cache_find(cache, entry->key) = entry->next_in_slot;
    unlink_entry(cache, entry);
    cache->bytes -= sizeof *entry + entry->len;
    mem_free(entry);
}

void cache_free(struct cache *cache)
{
    if (!cache) return;
    while (cache->oldest) cache_drop(cache, cache->oldest);
    pthread_mutex_destroy(&cache->lock);
    mem_free(cache);
}

bool cache_get(struct cache *cache, const char *key, struct buf *out)
{
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = *cache_find(cache, key);
    bool found = entry && attempt_add(out, entry->value, entry->len);
    if (found) {
        unlink_entry(cache, entry);
        link_newest(cache, entry);
    }
    pthread_mutex_unlock(&cache->lock);
    return found;
}

void cache_put(struct cache *cache, const char *key, struct str value)
{
    size_t size = sizeof(struct entry) + value.n;
    if (size > cache->budget / LARGEST_SHARE) return;
    struct entry *entry = mem_try_zalloc(size);
    if (!entry) return;
    memcpy(entry->key, key, KEY);
    memcpy(entry->value, value.p, value.n);
    entry->len = value.n;
    pthread_mutex_lock(&cache->lock);
    struct entry *old = *cache_find(cache, key);
    if (old) cache_drop(cache, old);
    while (cache->oldest && cache->bytes + size > cache->budget) cache_drop(cache, cache->oldest);
    struct entry **slot = cache_slot(cache, key);
    entry->next_in_slot = *slot;
    *slot = entry;
    link_newest(cache, entry);
    cache->bytes += size;
    pthread_mutex_unlock(&cache->lock);
}

size_t cache_bytes(struct cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    size_t bytes = cache->bytes;
    pthread_mutex_unlock(&cache->lock);
    return bytes;
}
