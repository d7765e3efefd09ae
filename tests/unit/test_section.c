/* Checks that a section that counts as plain is a section in the grammar, for all sequences of a
 * few pieces. */
#include "unit.h"

#include <string.h>

#include "base/buf.h"
#include "syntax/accept.h"
#include "syntax/section.h"

static const char *const PIECES[] = {
    "a", "a:", ".b8",  ".debug_str", "1",    "0x1FU", "1.5",   ",",   "\n", "-",    "+",
    "{", "}",  "call", ".v2",        ".loc", "/*}*/", "//}\n", "#\n", "/",  "\"\"", "1,2"};
enum { PIECE_COUNT = sizeof PIECES / sizeof *PIECES, MOST = 5 };

struct asked {
    uint32_t plain, others;
};

static void ask(struct asked *asked, struct buf *text)
{
    static const char word[] = ".section";
    struct lexer lexer;
    struct str all = {text->data, text->len};
    assert_true(lexer_start(&lexer, all, 0));
    lexer.at += sizeof word - 1;
    if (!section_is_plain(&lexer)) {
        asked->others++;
        return;
    }
    struct str piece = {all.p, (size_t)(lexer.at - all.p)};
    if (!accept_piece(piece)) fail_msg("the grammar refuses %.*s", (int)piece.n, piece.p);
    asked->plain++;
}

/* Each sequence with up to so many more pieces. */
static void ask_all(struct asked *asked, struct buf *text, int more)
{
    size_t len = text->len;
    buf_puts(text, " }\n");
    ask(asked, text);
    text->len = len;
    for (int p = 0; more && p < PIECE_COUNT; p++) {
        buf_putc(text, ' ');
        buf_puts(text, PIECES[p]);
        ask_all(asked, text, more - 1);
        text->len = len;
    }
}

static void what_is_plain_the_grammar_accepts(void **state)
{
    (void)state;
    struct asked asked = {0, 0};
    struct buf text = {0};
    buf_puts(&text, ".section .d {");
    ask_all(&asked, &text, MOST);
    buf_free(&text);
    assert_in_range(asked.plain, 5000, asked.others);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_plain_the_grammar_accepts),
    };
    return RUN_TESTS(tests);
}
