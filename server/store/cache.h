/* Results in the memory of the process: least recently used go first. Any thread. */
#ifndef SERVER_STORE_CACHE_H
#define SERVER_STORE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/str.h"

struct cache;

/* Holds at most budget bytes, its own bookkeeping included. */
struct cache *cache_new(size_t budget);
void cache_free(struct cache *cache);

/* key: 64 hexadecimal digits. Adds a copy of the value to out; false when it is not there, or
 * memory is out. */
bool cache_get(struct cache *cache, const char *key, struct buf *out);

/* Keeps a copy, unless there is no memory or it alone is over an eighth of the budget. */
void cache_put(struct cache *cache, const char *key, struct str value);

size_t cache_bytes(struct cache *cache);

#endif
