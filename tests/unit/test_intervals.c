/* Checks that a search finds the intervals that a comparison with each one finds. */
#include "base/intervals.h"

#include "unit.h"

enum { COUNT = 300, KEYS = 3, MOST = 200, QUERIES = 2000 };

static uint32_t next(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

static void search_finds_what_overlaps(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct interval_list list = {0};
    struct item_list found = {0};
    uint32_t state = 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        int64_t first = next(&state, MOST), size = i % 50 ? next(&state, 9) + 1 : MOST;
        vec_push(&list, ((struct interval){next(&state, KEYS), i, first, first + size}));
    }
    struct intervals intervals = intervals_sort(&arena, &list);
    for (uint32_t q = 0; q < QUERIES; q++) {
        int64_t first = next(&state, MOST), end = first + 1 + next(&state, 20);
        uint32_t key = next(&state, KEYS + 1), k = 0;
        found.count = 0;
        intervals_find(&intervals, key, first, end, &found);
        items_sort(&found, 0);
        for (uint32_t i = 0; i < COUNT; i++) {
            const struct interval *at = &list.at[i];
            if (at->key != key || at->first >= end || first >= at->end) continue;
            assert_true(k < found.count);
            assert_int_equal(found.at[k++], i);
        }
        assert_int_equal(k, found.count);
    }
    vec_free(&list);
    vec_free(&found);
    arena_free(&arena);
}

static void equal_items_are_listed_once(void **unused)
{
    (void)unused;
    struct item_list items = {0};
    vec_push(&items, 9);
    vec_push(&items, 4);
    vec_push(&items, 2);
    vec_push(&items, 4);
    items_sort(&items, 1);
    assert_int_equal(items.count, 3);
    assert_int_equal(items.at[0], 9);
    assert_int_equal(items.at[1], 2);
    assert_int_equal(items.at[2], 4);
    vec_free(&items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(search_finds_what_overlaps),
        cmocka_unit_test(equal_items_are_listed_once),
    };
    return RUN_TESTS(tests);
}
