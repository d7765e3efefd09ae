/* Checks the line and the column of each byte. */
#include "text/source.h"

#include "unit.h"

static void expect_place(const char *text, uint32_t offset, uint32_t line, uint32_t column)
{
    struct arena arena = {0};
    struct source source;
    source_init(&source, &arena, "test.ptx", str_from(text));
    struct place place = source_place(&source, offset);
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
    arena_free(&arena);
}

static void an_empty_text_has_one_line(void **state)
{
    (void)state;
    expect_place("", 0, 1, 1);
}

static void lines_and_columns_begin_at_one(void **state)
{
    (void)state;
    expect_place("ab\ncd\n", 0, 1, 1);
    expect_place("ab\ncd\n", 1, 1, 2);
    expect_place("ab\ncd\n", 3, 2, 1);
}

static void a_newline_ends_its_own_line(void **state)
{
    (void)state;
    expect_place("ab\ncd\n", 2, 1, 3);
    expect_place("\n\n\n", 1, 2, 1);
}

static void the_end_of_a_text_is_a_place(void **state)
{
    (void)state;
    expect_place("ab\ncd", 5, 2, 3);
    expect_place("ab\ncd\n", 6, 3, 1);
}

static void a_carriage_return_is_a_column(void **state)
{
    (void)state;
    expect_place("a\r\nb\r\n", 1, 1, 2);
    expect_place("a\r\nb\r\n", 2, 1, 3);
    expect_place("a\r\nb\r\n", 3, 2, 1);
    expect_place("a\rb", 2, 1, 3);
}

static void columns_count_bytes(void **state)
{
    (void)state;
    expect_place("\xc3\xa9x", 2, 1, 3);
}

static void every_byte_agrees_with_counting(void **state)
{
    (void)state;
    enum { LEN = 3000 };
    static char text[LEN + 1];
    uint32_t seed = 11;
    for (int i = 0; i < LEN; i++) text[i] = random_below(&seed, 9) ? 'x' : '\n';
    struct arena arena = {0};
    struct source source;
    source_init(&source, &arena, "test.ptx", (struct str){text, LEN});
    struct place want = {1, 1};
    for (uint32_t at = 0; at <= LEN; at++) {
        struct place got = source_place(&source, at);
        assert_int_equal(got.line, want.line);
        assert_int_equal(got.column, want.column);
        if (text[at] == '\n')
            want = (struct place){want.line + 1, 1};
        else
            want.column++;
    }
    arena_free(&arena);
}

static void a_slice_is_the_bytes_of_its_span(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct source source;
    source_init(&source, &arena, "test.ptx", str_from("add.s32 a, b, c;"));
    assert_true(str_is(source_slice(&source, (struct span){0, 7}), "add.s32"));
    assert_true(str_is(source_slice(&source, (struct span){16, 16}), ""));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_text_has_one_line),
        cmocka_unit_test(lines_and_columns_begin_at_one),
        cmocka_unit_test(a_newline_ends_its_own_line),
        cmocka_unit_test(the_end_of_a_text_is_a_place),
        cmocka_unit_test(a_carriage_return_is_a_column),
        cmocka_unit_test(columns_count_bytes),
        cmocka_unit_test(every_byte_agrees_with_counting),
        cmocka_unit_test(a_slice_is_the_bytes_of_its_span),
    };
    return RUN_TESTS(tests);
}
