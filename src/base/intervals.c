/* Binary search trees of intervals, each stored as a sorted array. See intervals.h. */
#include "base/intervals.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int compare_intervals(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

static uint32_t intervals_middle(uint32_t low, uint32_t high)
{
    return low + (high - low) / 2;
}

/* Sets most for [low, high), and returns the greatest end there. */
static int64_t find_most(struct intervals *intervals, uint32_t low, uint32_t high)
{
    if (low == high) return INT64_MIN;
    uint32_t middle = intervals_middle(low, high);
    int64_t most = intervals->at[middle].end, left = find_most(intervals, low, middle),
            right = find_most(intervals, middle + 1, high);
    if (left > most) most = left;
    if (right > most) most = right;
    return intervals->most[middle] = most;
}

/* The first interval from index `low` on with a greater key. */
static uint32_t end_of_key(const struct intervals *intervals, uint32_t low, uint32_t key)
{
    uint32_t high = intervals->count;
    while (low < high) {
        uint32_t middle = intervals_middle(low, high);
        if (intervals->at[middle].key <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Most lists come in order, and to see that takes less time than to sort. */
static bool are_sorted(const struct interval *at, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (compare_intervals(&at[i - 1], &at[i]) > 0) return false;
    return true;
}

struct intervals intervals_sort(struct arena *arena, const struct interval_list *list)
{
    struct intervals intervals = {arena_room(arena, list->count, sizeof *intervals.at),
                                  arena_room(arena, list->count, sizeof *intervals.most),
                                  list->count};
    if (!list->count) return intervals;
    memcpy(intervals.at, list->at, list->count * sizeof *list->at);
    if (!are_sorted(intervals.at, list->count))
        qsort(intervals.at, list->count, sizeof *intervals.at, compare_intervals);
    for (uint32_t low = 0, high; low < list->count; low = high) {
        high = end_of_key(&intervals, low, intervals.at[low].key);
        (void)find_most(&intervals, low, high);
    }
    return intervals;
}

static void find_between(const struct intervals *intervals, uint32_t low, uint32_t high,
                         int64_t first, int64_t end, struct item_list *found)
{
    while (low < high) {
        uint32_t middle = intervals_middle(low, high);
        const struct interval *at = &intervals->at[middle];
        if (intervals->most[middle] <= first) return;
        find_between(intervals, low, middle, first, end, found);
        if (at->first >= end) return;
        if (at->end > first) vec_push(found, at->item);
        low = middle + 1;
    }
}

void intervals_find(const struct intervals *intervals, uint32_t key, int64_t first, int64_t end,
                    struct item_list *found)
{
    uint32_t low = key ? end_of_key(intervals, 0, key - 1) : 0;
    find_between(intervals, low, end_of_key(intervals, low, key), first, end, found);
}

static int compare_items(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void items_sort(struct item_list *items, uint32_t from)
{
    uint32_t kept = from, sorted = from + 1;
    while (sorted < items->count && items->at[sorted - 1] <= items->at[sorted]) sorted++;
    if (sorted < items->count)
        qsort(items->at + from, items->count - from, sizeof *items->at, compare_items);
    for (uint32_t i = from; i < items->count; i++)
        if (kept == from || items->at[kept - 1] != items->at[i]) items->at[kept++] = items->at[i];
    items->count = kept;
}
