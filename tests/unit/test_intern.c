/* Checks that equal names under equal keys, and only those, get the same number. */
#include "base/intern.h"

#include <stdio.h>

#include "unit.h"

static void numbers_are_dense_in_order_of_first_sight(void **state)
{
    (void)state;
    struct intern table = {0};
    assert_int_equal(intern_add(&table, 0, str_from("%r1")), 0);
    assert_int_equal(intern_add(&table, 0, str_from("%r2")), 1);
    assert_int_equal(intern_add(&table, 0, str_from("%r1")), 0);
    assert_int_equal(intern_add(&table, 0, str_from("%r10")), 2);
    assert_int_equal(table.count, 3);
    intern_free(&table);
}

static void a_key_is_a_name_space(void **state)
{
    (void)state;
    struct intern table = {0};
    uint32_t outer = intern_add(&table, 1, str_from("DONE"));
    uint32_t inner = intern_add(&table, 2, str_from("DONE"));
    assert_int_not_equal(outer, inner);
    assert_int_equal(intern_find(&table, 1, str_from("DONE")), outer);
    assert_int_equal(intern_find(&table, 2, str_from("DONE")), inner);
    assert_int_equal(intern_find(&table, 3, str_from("DONE")), INTERN_NONE);
    intern_free(&table);
}

static void finding_in_an_empty_table_is_none(void **state)
{
    (void)state;
    struct intern table = {0};
    assert_int_equal(intern_find(&table, 0, str_from("x")), INTERN_NONE);
    intern_free(&table);
}

static void bytes_count_and_not_strings(void **state)
{
    (void)state;
    struct intern table = {0};
    uint32_t empty = intern_add(&table, 0, (struct str){NULL, 0});
    uint32_t nul = intern_add(&table, 0, (struct str){"\0", 1});
    uint32_t two = intern_add(&table, 0, (struct str){"\0a", 2});
    assert_int_not_equal(empty, nul);
    assert_int_not_equal(nul, two);
    assert_int_equal(intern_find(&table, 0, str_from("")), empty);
    intern_free(&table);
}

static void many_names_survive_growth(void **state)
{
    (void)state;
    enum { NAMES = 5000 };
    static char name[NAMES][16];
    struct intern table = {0};
    for (uint32_t i = 0; i < NAMES; i++) {
        snprintf(name[i], sizeof name[i], "%%r%u", i);
        assert_int_equal(intern_add(&table, i % 3, str_from(name[i])), i);
    }
    for (uint32_t i = 0; i < NAMES; i++) {
        assert_int_equal(intern_find(&table, i % 3, str_from(name[i])), i);
        assert_int_equal(intern_find(&table, i % 3 + 1, str_from(name[i])), INTERN_NONE);
    }
    intern_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_dense_in_order_of_first_sight),
        cmocka_unit_test(a_key_is_a_name_space),
        cmocka_unit_test(finding_in_an_empty_table_is_none),
        cmocka_unit_test(bytes_count_and_not_strings),
        cmocka_unit_test(many_names_survive_growth),
    };
    return RUN_TESTS(tests);
}
