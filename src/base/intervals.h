/* Finds which of many intervals of integers overlap a given one. */
#ifndef PTXOPT_BASE_INTERVALS_H
#define PTXOPT_BASE_INTERVALS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

/* The integers [first, end), for items that only overlap items of the same key. */
struct interval {
    uint32_t key, item;
    int64_t first, end;
};

struct interval_list VEC(struct interval);

struct item_list VEC(uint32_t);

/* Intervals by key and first. most: the greatest end in the half of a search that an interval is
 * the middle of. */
struct intervals {
    struct interval *at;
    int64_t *most;
    uint32_t count;
};

/* Prepares the intervals of the list for intervals_find. Everything is in the arena; the list is
 * not needed afterwards. Takes count times log(count) steps. */
struct intervals intervals_sort(struct arena *arena, const struct interval_list *list);

/* Appends to *found the items with that key whose intervals overlap [first, end); in no particular
 * order, and an item once for each of its intervals. Takes about log(count) steps for each. */
void intervals_find(const struct intervals *intervals, uint32_t key, int64_t first, int64_t end,
                    struct item_list *found);

/* Sorts the items, and removes those that are equal to others, from index `from` on. */
void items_sort(struct item_list *items, uint32_t from);

#endif
