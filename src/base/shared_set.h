/* Sets of small numbers, many of which have most of their members in common: equal parts are kept
 * once, as nodes of a binary trie that are never changed (hash-consing). A set is the number of its
 * root, so equal sets have equal numbers, and 0 is the empty one. */
#ifndef PTXOPT_BASE_SHARED_SET_H
#define PTXOPT_BASE_SHARED_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

typedef uint32_t shared_set;

struct shared_sets {
    struct VEC(uint64_t) nodes; /* 64 members, or above those the roots of two halves */
    shared_set *table;          /* by hash */
    uint32_t table_cap;         /* a power of two */
    unsigned levels;            /* above the members */
};

/* For members below `members`. Release with shared_sets_free. */
void shared_sets_init(struct shared_sets *sets, uint32_t members);
void shared_sets_free(struct shared_sets *sets);

/* `set` and of the members [64 * word, 64 * word + 64) those whose bits are set. */
shared_set shared_set_add(struct shared_sets *sets, shared_set set, uint32_t word, uint64_t bits);

shared_set shared_set_unite(struct shared_sets *sets, shared_set a, shared_set b);

bool shared_set_has(const struct shared_sets *sets, shared_set set, uint32_t member);

#endif
