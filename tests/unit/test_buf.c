/* Checks that a buffer is exactly the bytes that were added, whatever their number. */
#include "base/buf.h"

#include <string.h>

#include "base/mem.h"
#include "unit.h"

static void adding_nothing_allocates_nothing(void **state)
{
    (void)state;
    struct buf buf = {0};
    buf_add(&buf, NULL, 0);
    buf_puts(&buf, "");
    assert_null(buf.data);
    assert_int_equal(buf.len, 0);
    buf_free(&buf);
}

static void bytes_of_any_value_and_number_are_kept_in_order(void **state)
{
    (void)state;
    struct buf buf = {0};
    static unsigned char want[300 * 1000];
    size_t len = 0;
    uint32_t seed = 3;
    while (len + 2000 < sizeof want) {
        size_t n = random_below(&seed, 2000);
        for (size_t i = 0; i < n; i++) want[len + i] = (unsigned char)random_below(&seed, 256);
        if (n == 1)
            buf_putc(&buf, (char)want[len]);
        else
            buf_add(&buf, want + len, n);
        len += n;
    }
    assert_int_equal(buf.len, len);
    assert_memory_equal(buf.data, want, len);
    buf_free(&buf);
}

static void what_is_expected_fits_and_more_does_too(void **state)
{
    (void)state;
    struct buf buf = {0};
    buf_puts(&buf, "ab");
    buf_expect(&buf, 1000);
    const char *at = buf.data;
    for (int i = 0; i < 1000; i++) buf_putc(&buf, 'c');
    assert_ptr_equal(buf.data, at);
    assert_int_equal(buf.cap, 1002);
    buf_expect(&buf, 0);
    assert_int_equal(buf.cap, 1002);
    buf_putc(&buf, 'd');
    assert_int_equal(buf.len, 1003);
    assert_memory_equal(buf.data, "abc", 3);
    assert_memory_equal(buf.data + 1001, "cd", 2);
    buf_free(&buf);
}

static void printf_crosses_the_capacity(void **state)
{
    (void)state;
    for (int width = 250; width < 262; width++) {
        struct buf buf = {0};
        buf_printf(&buf, "%0*d", width, 1);
        buf_printf(&buf, "%s", "");
        buf_printf(&buf, "%c", '.');
        assert_int_equal(buf.len, width + 1);
        assert_memory_equal(buf.data + buf.len - 2, "1.", 2);
        buf_free(&buf);
    }
}

static void taking_gives_a_string_and_empties(void **state)
{
    (void)state;
    struct buf buf = {0};
    char *empty = buf_take(&buf);
    assert_string_equal(empty, "");
    mem_free(empty);
    buf_puts(&buf, "line 1");
    char *text = buf_take(&buf);
    assert_string_equal(text, "line 1");
    assert_int_equal(buf.len, 0);
    buf_puts(&buf, "2");
    assert_string_equal(text, "line 1");
    buf_free(&buf);
    mem_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adding_nothing_allocates_nothing),
        cmocka_unit_test(bytes_of_any_value_and_number_are_kept_in_order),
        cmocka_unit_test(what_is_expected_fits_and_more_does_too),
        cmocka_unit_test(printf_crosses_the_capacity),
        cmocka_unit_test(taking_gives_a_string_and_empties),
    };
    return RUN_TESTS(tests);
}
