/* Timeouts: they expire in the order of their time, whatever is stopped and started again. */
#include "unit.h"

#include "server/net/timeouts.h"

static void the_first_started_is_due_first(void **state)
{
    struct timeouts timeouts;
    struct timeout a = {0}, b = {0};
    (void)state;
    timeouts_init(&timeouts, 2);
    assert_int_equal(timeouts_next(&timeouts), UINT64_MAX);
    assert_null(timeouts_last(&timeouts));
    timeout_start(&timeouts, &a, 100);
    timeout_start(&timeouts, &b, 150);
    assert_int_equal(timeouts_next(&timeouts), 2100);
    assert_null(timeouts_due(&timeouts, 2099));
    assert_ptr_equal(timeouts_due(&timeouts, 2100), &a);
    assert_ptr_equal(timeouts_last(&timeouts), &b);
    timeout_stop(&a);
    assert_null(timeouts_due(&timeouts, 2149));
    assert_ptr_equal(timeouts_due(&timeouts, 2150), &b);
}

static void one_that_is_started_again_waits_behind_the_others(void **state)
{
    struct timeouts timeouts, others;
    struct timeout a = {0}, b = {0};
    (void)state;
    timeouts_init(&timeouts, 1);
    timeouts_init(&others, 5);
    timeout_start(&timeouts, &a, 0);
    timeout_start(&timeouts, &b, 10);
    timeout_start(&timeouts, &a, 20);
    assert_ptr_equal(timeouts_due(&timeouts, 5000), &b);
    timeout_start(&others, &b, 30);
    assert_ptr_equal(timeouts_due(&timeouts, 5000), &a);
    assert_int_equal(timeouts_next(&others), 5030);
    timeout_stop(&a);
    timeout_stop(&a);
    assert_int_equal(timeouts_next(&timeouts), UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_started_is_due_first),
        cmocka_unit_test(one_that_is_started_again_waits_behind_the_others),
    };
    return RUN_TESTS(tests);
}
