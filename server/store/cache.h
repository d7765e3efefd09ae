/* Results in the memory of the process: least recently used go first. Any thread. */
#ifndef SERVER_STORE_CACHE_H
#define SERVER_STORE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct cache;

/* A value, shared with the cache. */
struct cached;

/* Holds at most budget bytes, its own bookkeeping included. */
struct cache *cache_new(size_t budget);
void cache_free(struct cache *cache);

/* key: 64 hexadecimal digits. For cached_release; NULL when it is not there. */
struct cached *cache_get(struct cache *cache, const char *key);

struct str cached_value(const struct cached *cached);
void cached_release(void *cached);

/* Keeps a copy, unless there is no memory or it alone is over an eighth of the budget. */
void cache_put(struct cache *cache, const char *key, struct str value);

size_t cache_bytes(struct cache *cache);

#endif
