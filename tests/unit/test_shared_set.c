/* Checks that shared sets have the members of plain ones, and equal sets equal numbers. */
#include "base/shared_set.h"

#include <string.h>

#include "unit.h"

enum { SETS = 24, STEPS = 4000 };

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void same_members(const struct shared_sets *sets, shared_set set, const uint8_t *plain,
                         uint32_t members)
{
    for (uint32_t m = 0; m < members; m++) assert_int_equal(shared_set_has(sets, set, m), plain[m]);
}

/* Random additions and unions, each also made of plain arrays. */
static void compare(uint32_t members)
{
    static uint8_t plain[SETS][1000];
    struct shared_sets sets;
    shared_set set[SETS] = {0};
    uint32_t state = members;
    shared_sets_init(&sets, members);
    memset(plain, 0, sizeof plain);
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t to = next(&state) % SETS, from = next(&state) % SETS, m = next(&state) % members;
        if (step % 97 == 0) {
            set[to] = 0;
            memset(plain[to], 0, members);
        }
        if (step % 3) {
            set[to] = shared_set_add(&sets, set[to], m / 64, 1ull << m % 64);
            plain[to][m] = 1;
        } else {
            set[to] = shared_set_unite(&sets, set[to], set[from]);
            for (uint32_t i = 0; i < members; i++) plain[to][i] |= plain[from][i];
        }
        bool equal = memcmp(plain[to], plain[from], members) == 0;
        assert_int_equal(set[to] == set[from], equal);
        if (step % 50 == 0) same_members(&sets, set[to], plain[to], members);
    }
    for (uint32_t n = 0; n < SETS; n++) same_members(&sets, set[n], plain[n], members);
    shared_sets_free(&sets);
}

static void sets_of_any_size_are_as_plain_ones(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 63, 64, 65, 127, 128, 129, 256, 511, 512, 1000};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) compare(sizes[n]);
}

static void what_two_sets_have_in_common_is_kept_once(void **state)
{
    (void)state;
    enum { MEMBERS = 1 << 20, WORDS = MEMBERS / 64 };
    struct shared_sets sets;
    shared_set set = 0;
    shared_sets_init(&sets, MEMBERS);
    for (uint32_t w = 0; w < WORDS; w++) set = shared_set_add(&sets, set, w, (uint64_t)w + 1);
    uint32_t before = sets.nodes.count;
    shared_set more = shared_set_add(&sets, set, 7, 1ull << 63);
    assert_int_not_equal(more, set);
    assert_true(sets.nodes.count - before <= 1 + sets.levels);
    before = sets.nodes.count;
    assert_int_equal(shared_set_unite(&sets, set, more), more);
    assert_int_equal(sets.nodes.count, before);
    shared_sets_free(&sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_of_any_size_are_as_plain_ones),
        cmocka_unit_test(what_two_sets_have_in_common_is_kept_once),
    };
    return RUN_TESTS(tests);
}
