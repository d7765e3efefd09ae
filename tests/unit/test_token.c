/* Checks that each kind of token is one terminal of the grammar, for any text and parser state.
 * The generated lexer is run in each of its states on samples of each kind: in one state it
 * must take all samples of a kind whole, as the same symbol, or none. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "routes/same_view.h"
#include "syntax/token.h"
#include "tree-sitter-ptx/src/tree_sitter/parser.h"

const TSLanguage *tree_sitter_ptx(void);

/* ---- the generated lexer ---- */

struct generated {
    TSLexer at; /* first, so that the callbacks find the other fields */
    const char *text;
    size_t n, pos, end;
};

static void look(struct generated *lexer)
{
    lexer->at.lookahead = lexer->pos < lexer->n ? (unsigned char)lexer->text[lexer->pos] : 0;
}

static void advance(TSLexer *at, bool skip)
{
    struct generated *lexer = (struct generated *)at;
    (void)skip;
    lexer->pos += lexer->pos < lexer->n;
    look(lexer);
}

static void mark_end(TSLexer *at)
{
    struct generated *lexer = (struct generated *)at;
    lexer->end = lexer->pos;
}

static bool at_eof(const TSLexer *at)
{
    const struct generated *lexer = (const struct generated *)at;
    return lexer->pos >= lexer->n;
}

/* The symbol that the first n bytes of text are in a state of the lexer; 0 when the token there is
 * another one. */
static TSSymbol symbol_of(const char *text, size_t n, uint16_t lex_state)
{
    struct generated lexer = {.at = {.advance = advance, .mark_end = mark_end, .eof = at_eof},
                              .text = text,
                              .n = strlen(text)};
    look(&lexer);
    if (!tree_sitter_ptx()->lex_fn(&lexer.at, lex_state) || lexer.end != n) return 0;
    return lexer.at.result_symbol;
}

/* ---- samples ---- */

static const struct {
    enum token_kind kind;
    const char *texts[40], *behind[12]; /* the tokens that may follow directly */
} SAMPLES[] = {
    {TOKEN_IDENTIFIER,
     {"a",       "abc", "%r1", "%p",         "_x",    "$L__BB0_1", "x2", "e5",      "loc",
      "ret",     "add", "cal", "calls",      "_1",    "%1",        "$$", "WARP_SZ", "u32",
      "generic", "v4",  "f",   "inlined_at", "entry", "U",         "E1"},
     {" ", ".x ", ":", "<", "[", ",", "|", "+1", ";", "%r2", "\n"}},
    {TOKEN_INTEGER,
     {"0", "1", "12345", "0x1F", "0XffU", "0b101", "5U", "00", "0b1U", "0x0", "9999999999"},
     {" ", ",", ";", "]", ")", ">", "\n", "+"}},
    {TOKEN_FLOAT,
     {"1.5", "1.", "0f3F800000", "0d3FF0000000000000", "1e5", "1E+5", "1.5e-3", "0F00", "0.0"},
     {" ", ",", ";", "]", ")", "}", "\n"}},
    {TOKEN_STRING, {"\"\"", "\"a b\"", "\"a\\n;{}//\"", "\"x\ny\"", "\".reg\""}, {" ", ",", ";"}},
    {TOKEN_MODIFIER,
     {".b32",         ".u64",        ".f32x2",
      ".shared::cta", ".sp::2:4",    ".2d",
      ".16x256b",     ".x1",         ".cta_group::1",
      ".regs",        ".locx",       ".v",
      ".vx4",         ".files",      ".entry_",
      ".vsibl",       ".weakly",     ".a$_1",
      ".1x",          ".ve",         ".ta",
      ".add",         ".se",         ".at",
      ".call",        ".brx",        ".tile::gather4",
      ".sourc",       ".sourcely_b", ".$",
      "._",           ".global_",    ".global::acq",
      ".x::y::z:4",   ".2dx::5",     ".a::b"},
     {" ", ".m ", ";", "[", ",", "\n"}},
    {TOKEN_NOT, {"!"}, {" ", "a", "1", "%p", "(", "!", "-"}},
    {TOKEN_PLUS, {"+"}, {" ", "a", "1", "%p", "(", "+"}},
    {(enum token_kind)'-', {"-"}, {" ", "a", "1", "%p", "(", "-", "0x1"}},
    {(enum token_kind)'|', {"|"}, {" ", "a", "1", "%p", "(", "-", "!"}},
    {(enum token_kind)'&', {"&"}, {" ", "a", "1", "%p", "(", "-", "!"}},
    {(enum token_kind)'<', {"<"}, {" ", "a", "1", "%p", "(", "-", "!"}},
    {(enum token_kind)'>', {">"}, {" ", "a", "1", "%p", "(", "-", ";", ","}},
    {(enum token_kind)'=', {"="}, {" ", "a", "1", "%p", "(", "-", "{"}},
    {(enum token_kind)'/', {"/"}, {" ", "a", "1", "%p", "("}},
    {TOKEN_COLON, {":"}, {" ", "a", "\n", ".b", ":"}},
    {TOKEN_AT, {"@"}, {" ", "a", "!", "%p"}},
    {TOKEN_VECTOR_TYPE, {".v2", ".v4", ".v16"}, {" ", ".m ", ";", "["}},
    {TOKEN_SHIFT_LEFT, {"<<"}, {" ", "a", "1", "%p", "(", "-", "!"}},
    {TOKEN_SHIFT_RIGHT, {">>"}, {" ", "a", "1", "%p", "(", "-", "!"}},
    {TOKEN_LESS_EQUAL, {"<="}, {" ", "a", "1", "%p", "(", "-", "!"}},
    {TOKEN_GREATER_EQUAL, {">="}, {" ", "a", "1", "%p", "(", "-", "!"}},
    {TOKEN_EQUAL, {"=="}, {" ", "a", "1", "%p", "(", "-", "!"}},
    {TOKEN_NOT_EQUAL, {"!="}, {" ", "a", "1", "%p", "(", "-", "!"}},
    {TOKEN_AND, {"&&"}, {" ", "a", "1", "%p", "(", "-", "!"}},
    {TOKEN_OR, {"||"}, {" ", "a", "1", "%p", "(", "-", "!"}},
};

/* In debug data a token may be a line of numbers: no statement is read there. After .version
 * `8.7.1` is one, and numbers are TOKEN_VERSION_NUMBER. */
static bool is_apart(uint16_t lex_state, enum token_kind kind)
{
    bool number = kind == TOKEN_INTEGER || kind == TOKEN_FLOAT;
    return symbol_of("1, 2 ", 4, lex_state) || (number && symbol_of("8.7.1 ", 5, lex_state));
}

/* Takes the token at the start of text, followed by a blank. */
static enum token_kind ours(const char *text, size_t *n)
{
    static struct token_list list;
    struct lexer lexer;
    list.count = 0;
    assert_true(lexer_start(&lexer, (struct str){text, strlen(text)}, 0));
    enum token_kind kind = lexer_take(&lexer, &list);
    *n = list.count ? list.spans[0].end - list.spans[0].start : 0;
    return kind;
}

static void a_kind_is_one_symbol_in_each_state(void **state)
{
    (void)state;
    const TSLanguage *language = tree_sitter_ptx();
    uint32_t asked = 0;
    for (size_t k = 0; k < sizeof SAMPLES / sizeof *SAMPLES; k++) {
        for (uint32_t s = 1; s < language->state_count; s++) {
            uint16_t lex_state = language->lex_modes[s].lex_state;
            TSSymbol all = UINT16_MAX;
            if (is_apart(lex_state, SAMPLES[k].kind)) continue;
            for (const char *const *text = SAMPLES[k].texts; *text; text++)
                for (const char *const *behind = SAMPLES[k].behind; *behind; behind++) {
                    char joined[64];
                    snprintf(joined, sizeof joined, "%s%s ;", *text, *behind);
                    TSSymbol symbol = symbol_of(joined, strlen(*text), lex_state);
                    if (all == UINT16_MAX) all = symbol;
                    if (symbol != all)
                        fail_msg("state %u: '%s' is symbol %u, others %u", s, joined, symbol, all);
                    asked++;
                }
        }
    }
    assert_in_range(asked, 500000, UINT32_MAX);
}

static void samples_are_of_their_kinds(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof SAMPLES / sizeof *SAMPLES; k++)
        for (const char *const *text = SAMPLES[k].texts; *text; text++)
            for (const char *const *behind = SAMPLES[k].behind; *behind; behind++) {
                char joined[64];
                size_t n;
                snprintf(joined, sizeof joined, "%s%s ;", *text, *behind);
                enum token_kind kind = ours(joined, &n);
                if (kind != SAMPLES[k].kind || n != strlen(*text))
                    fail_msg("'%s' is of kind %d, not %d", joined, kind, SAMPLES[k].kind);
            }
}

static void what_depends_on_the_state_is_odd(void **state)
{
    static const char *const ODD[] = {
        ".5",     ".5e3",          "1.f32",    "12ab", "0x1Fg",    "1.5.6", ".v4x", ".versio",
        ".targe", ".loc_x",        ".callpr",  "===",  "<<<",      "|||",   "&&=",  ">>=",
        "!==",    "@@D",           "$",        "`",    "\xc3\xa9", "\"",    "/* ",  ".",
        ".::a",   ".source_begin", ".sp::2:4x"};
    (void)state;
    for (size_t i = 0; i < sizeof ODD / sizeof *ODD; i++) {
        char joined[64];
        size_t n;
        snprintf(joined, sizeof joined, "%s ;", ODD[i]);
        if (ours(joined, &n) != TOKEN_ODD) fail_msg("'%s'", joined);
    }
}

/* After an opcode every word with a dot is a modifier, keywords, too. */
static void keywords_are_modifiers_behind_an_opcode(void **state)
{
    static const char *const FORMS[] = {"x%s;",          "@p x%s;",    "x.m%s a;",
                                        "x.m.m%s a, b;", "x.m.m.m%s;", "x.m.m.m.m%s a;",
                                        "x%s [a];",      "call%s f;",  "x.m.m.m.m.m%s a;"};
    static const char *const MORE[] = {".v4", ".v4x", ".versio", ".loc_x", ".attrib"};
    (void)state;
    for (int k = TOKEN_LAST_SIGN + 1; k < TOKEN_KINDS + (int)(sizeof MORE / sizeof *MORE); k++)
        for (size_t f = 0; f < sizeof FORMS / sizeof *FORMS; f++) {
            struct buf word = {0}, text = {0};
            if (k < TOKEN_KINDS)
                token_add_sample(&word, (enum token_kind)k);
            else
                buf_puts(&word, MORE[k - TOKEN_KINDS]);
            buf_putc(&word, '\0');
            buf_puts(&text, ".entry tcgen05(){\n");
            buf_printf(&text, FORMS[f], word.data);
            buf_puts(&text, "\n}\n");
            struct str all = {text.data, text.len};
            if (same_view(word.data, all) != SAME_VIEW) fail_msg("%.*s", (int)all.n, all.p);
            buf_free(&word);
            buf_free(&text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_is_one_symbol_in_each_state),
        cmocka_unit_test(samples_are_of_their_kinds),
        cmocka_unit_test(what_depends_on_the_state_is_odd),
        cmocka_unit_test(keywords_are_modifiers_behind_an_opcode),
    };
    return RUN_TESTS(tests);
}
