/* An index of the entries of a cache by key, and the order in which they were used. Its owner has a
 * lock and a budget; entries are the owner's. */
#ifndef SERVER_STORE_LRU_H
#define SERVER_STORE_LRU_H

#include <stddef.h>

enum { LRU_KEY = 64, LRU_SLOTS = 1 << 14 };

/* A part of an entry. key: hexadecimal digits of a digest, without NUL. */
struct lru_entry {
    struct lru_entry *next_in_slot, *newer, *older;
    size_t size; /* bytes that it counts as */
    char key[LRU_KEY];
};

/* Zero-initialise. */
struct lru {
    size_t bytes; /* of all entries */
    struct lru_entry *newest, *oldest;
    struct lru_entry *slots[LRU_SLOTS];
};

/* NULL: there is none. */
struct lru_entry *lru_find(const struct lru *lru, const char *key);

/* key and size are set; there is no other entry of that key. It is the newest. */
void lru_add(struct lru *lru, struct lru_entry *entry);
void lru_remove(struct lru *lru, struct lru_entry *entry);

/* It is the newest again. */
void lru_use(struct lru *lru, struct lru_entry *entry);

#endif
