/* Checks that the arena allocates zeroed, aligned, disjoint pieces that do not move. */
#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

#include "unit.h"

static void pieces_are_zeroed_aligned_and_disjoint(void **state)
{
    (void)state;
    struct arena arena = {0};
    enum { PIECES = 2000 };
    static unsigned char *piece[PIECES];
    static size_t size[PIECES];
    uint32_t seed = 7;
    for (int i = 0; i < PIECES; i++) {
        size[i] = random_below(&seed, 500);
        piece[i] = arena_alloc(&arena, size[i], 1);
        assert_int_equal((uintptr_t)piece[i] % alignof(uint64_t), 0);
        for (size_t b = 0; b < size[i]; b++) assert_int_equal(piece[i][b], 0);
        memset(piece[i], i % 255 + 1, size[i]);
    }
    for (int i = 0; i < PIECES; i++)
        for (size_t b = 0; b < size[i]; b++) assert_int_equal(piece[i][b], i % 255 + 1);
    arena_free(&arena);
}

static void a_piece_larger_than_a_chunk_is_whole(void **state)
{
    (void)state;
    struct arena arena = {0};
    char *small = arena_copy(&arena, "small", 5);
    char *large = arena_alloc(&arena, 1000, 1000);
    memset(large, 'x', 1000 * 1000);
    assert_string_equal(small, "small");
    assert_true(arena.bytes >= 1000 * 1000);
    arena_free(&arena);
}

static void nothing_is_a_piece_too(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_non_null(arena_alloc(&arena, 0, 8));
    assert_string_equal(arena_copy(&arena, "", 0), "");
    assert_string_equal(arena_copy(&arena, NULL, 0), "");
    assert_string_equal(arena_printf(&arena, "%s", ""), "");
    arena_free(&arena);
}

static void a_copy_ends_where_it_was_told_to(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_string_equal(arena_copy(&arena, "tcgen05.wait::ld", 7), "tcgen05");
    assert_memory_equal(arena_copy(&arena, "a\0b", 3), "a\0b", 4);
    arena_free(&arena);
}

static void printf_takes_texts_of_any_length(void **state)
{
    (void)state;
    struct arena arena = {0};
    char *text = arena_printf(&arena, "%s|%0*d", "R1", 100 * 1000, 5);
    assert_int_equal(strlen(text), 3 + 100 * 1000);
    assert_memory_equal(text, "R1|000", 6);
    assert_int_equal(text[3 + 100 * 1000 - 1], '5');
    arena_free(&arena);
}

static void a_freed_arena_is_empty_and_usable(void **state)
{
    (void)state;
    struct arena arena = {0};
    arena_free(&arena);
    arena_copy(&arena, "one", 3);
    arena_free(&arena);
    assert_int_equal(arena.bytes, 0);
    assert_string_equal(arena_copy(&arena, "two", 3), "two");
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zeroed_aligned_and_disjoint),
        cmocka_unit_test(a_piece_larger_than_a_chunk_is_whole),
        cmocka_unit_test(nothing_is_a_piece_too),
        cmocka_unit_test(a_copy_ends_where_it_was_told_to),
        cmocka_unit_test(printf_takes_texts_of_any_length),
        cmocka_unit_test(a_freed_arena_is_empty_and_usable),
    };
    return RUN_TESTS(tests);
}
