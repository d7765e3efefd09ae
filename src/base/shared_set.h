/* Sets of small numbers that have most members in common. The sets share equal parts: each is
 * stored once, as a node of a binary trie that is never changed (hash-consing). A set is the number
 * of its root node, so equal sets have equal numbers; 0 is the empty set. */
#ifndef PTXOPT_BASE_SHARED_SET_H
#define PTXOPT_BASE_SHARED_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

typedef uint32_t shared_set;

struct shared_sets {
    struct VEC(uint64_t) nodes; /* of a leaf: one bit for each of 64 members; else the node numbers
                                   of its two halves */
    shared_set *table;          /* node numbers by hash; 0: an empty entry */
    uint32_t table_cap;         /* number of entries, a power of two */
    unsigned levels;            /* of inner nodes above the leaves */
};

/* Initialises sets of numbers below `members`. The caller frees them with shared_sets_free. */
void shared_sets_init(struct shared_sets *sets, uint32_t members);
void shared_sets_free(struct shared_sets *sets);

/* Returns the union of set and the members 64 * word + i for each bit i of bits. */
shared_set shared_set_add(struct shared_sets *sets, shared_set set, uint32_t word, uint64_t bits);

shared_set shared_set_unite(struct shared_sets *sets, shared_set a, shared_set b);

bool shared_set_has(const struct shared_sets *sets, shared_set set, uint32_t member);

#endif
