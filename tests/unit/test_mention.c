/* Checks which texts have a word that a rule could use. */
#include "text/mention.h"

#include "base/buf.h"

#include "unit.h"

static void expect(const char *text, bool found)
{
    assert_int_equal(mention_found(str_from(text)), found);
}

static void what_a_rule_wants_is_found(void **state)
{
    (void)state;
    expect("tcgen05.wait::ld.sync.aligned;", true);
    expect("@%p0 tcgen05 .fence::before_thread_sync;", true);
    expect("fence.proxy.async;", true);
    expect("fence/* */.proxy // \n .async;", true);
    expect("tcgen05", true);
    expect(".proxy", true);
}

static void another_text_is_not(void **state)
{
    (void)state;
    expect("", false);
    expect("tcgen0", false);
    expect("tcgen04.wait::ld; tcgen 05; proxy.async; . proxy; .prox y", false);
    expect("TCGEN05.wait::ld; fence.Proxy.async;", false);
}

/* The search works in blocks, so words at every place are tried. */
static void a_word_is_found_at_every_place_of_a_long_text(void **state)
{
    static const char *const words[] = {"tcgen05", ".proxy"};
    enum { LENGTH = 2000 };
    static char text[LENGTH];
    (void)state;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        for (size_t len = strlen(words[w]), at = 0; at + len <= LENGTH; at++) {
            memset(text, 'y', LENGTH);
            memcpy(text + at, words[w], len);
            assert_true(mention_found((struct str){text, LENGTH}));
            assert_true(mention_found((struct str){text, at + len}));
            assert_true(mention_found((struct str){text + at, LENGTH - at}));
            assert_false(mention_found((struct str){text, at + len - 1}));
            assert_false(mention_found((struct str){text + at + 1, LENGTH - at - 1}));
        }
}

/* Parts of a word, however often they are repeated, are not the word. */
static void what_looks_like_one_is_none(void **state)
{
    static const char *const pieces[] = {"tc", "tcgen0 ", "xy", "proxy ", ".pro.prox", "tcgen.0"};
    (void)state;
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        struct buf text = {0};
        for (int i = 0; i < 1000; i++) buf_puts(&text, pieces[p]);
        assert_false(mention_found((struct str){text.data, text.len}));
        buf_puts(&text, "tcgen05");
        assert_true(mention_found((struct str){text.data, text.len}));
        buf_free(&text);
    }
}

static void the_longest_word_is_as_long_as_it_says(void **state)
{
    (void)state;
    assert_int_equal(strlen("tcgen05"), MENTION_WORD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_rule_wants_is_found),
        cmocka_unit_test(another_text_is_not),
        cmocka_unit_test(a_word_is_found_at_every_place_of_a_long_text),
        cmocka_unit_test(what_looks_like_one_is_none),
        cmocka_unit_test(the_longest_word_is_as_long_as_it_says),
    };
    return RUN_TESTS(tests);
}
