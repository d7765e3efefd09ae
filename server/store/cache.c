/* Keeps results in the memory of the process. A caller that gets a value shares it with the
 * cache. It is freed when neither uses it. */
#include "server/store/cache.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/mem.h"
#include "server/store/lru.h"

enum { LARGEST_SHARE = 8 };

struct cached {
    struct lru_entry lru; /* first: an lru_entry is cast to its cached */
    atomic_uint users;    /* the cache is one */
    size_t len;
    char value[];
};

struct cache {
    pthread_mutex_t lock;
    size_t budget;
    struct lru lru;
};

struct cache *cache_new(size_t budget)
{
    struct cache *cache = mem_zalloc(1, sizeof *cache);
    pthread_mutex_init(&cache->lock, NULL);
    cache->budget = budget;
    return cache;
}

void cached_release(void *argument)
{
    struct cached *cached = argument;
    if (atomic_fetch_sub(&cached->users, 1) == 1) mem_free(cached);
}

struct str cached_value(const struct cached *cached)
{
    return (struct str){cached->value, cached->len};
}

static void cache_drop(struct cache *cache, struct lru_entry *entry)
{
    lru_remove(&cache->lru, entry);
    cached_release(entry);
}

void cache_free(struct cache *cache)
{
    if (!cache) return;
    while (cache->lru.oldest) cache_drop(cache, cache->lru.oldest);
    pthread_mutex_destroy(&cache->lock);
    mem_free(cache);
}

struct cached *cache_get(struct cache *cache, const char *key)
{
    pthread_mutex_lock(&cache->lock);
    struct cached *cached = (struct cached *)(void *)lru_find(&cache->lru, key);
    if (cached) {
        atomic_fetch_add(&cached->users, 1);
        lru_use(&cache->lru, &cached->lru);
    }
    pthread_mutex_unlock(&cache->lock);
    return cached;
}

void cache_put(struct cache *cache, const char *key, struct str value)
{
    size_t size = sizeof(struct cached) + value.n;
    if (size > cache->budget / LARGEST_SHARE) return;
    struct cached *cached = mem_try_alloc(size);
    if (!cached) return;
    cached->lru = (struct lru_entry){.size = size};
    memcpy(cached->lru.key, key, LRU_KEY);
    memcpy(cached->value, value.p, value.n);
    cached->users = 1;
    cached->len = value.n;
    pthread_mutex_lock(&cache->lock);
    struct lru_entry *old = lru_find(&cache->lru, key);
    if (old) cache_drop(cache, old);
    while (cache->lru.oldest && cache->lru.bytes + size > cache->budget)
        cache_drop(cache, cache->lru.oldest);
    lru_add(&cache->lru, &cached->lru);
    pthread_mutex_unlock(&cache->lock);
}

size_t cache_bytes(struct cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    size_t bytes = cache->lru.bytes;
    pthread_mutex_unlock(&cache->lock);
    return bytes;
}
