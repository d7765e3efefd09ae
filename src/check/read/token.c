/* Splits a text into tokens. See token.h. A comment to the end of a line ends only at a line feed;
 * strings have no escapes; a word that begins with a dot is one token with all its `::` parts. */
#include "check/read/token.h"

#include "base/work.h"

enum {
    BLANK = TOKEN_CLASS_BLANK,
    SKIP = TOKEN_CLASS_SKIP,
    PUNCT = TOKEN_CLASS_PUNCT,
    STOP = TOKEN_CLASS_STOP,
    LETTER = TOKEN_CLASS_WORD | TOKEN_CLASS_LETTER,
    DIGIT = TOKEN_CLASS_WORD | TOKEN_CLASS_DIGIT,
};

/* clang-format off */
const uint8_t token_classes[256] = {
    ['\t'] = BLANK, ['\n'] = BLANK, ['\v'] = BLANK, ['\f'] = BLANK, ['\r'] = BLANK, [' '] = BLANK,
    ['0'] = DIGIT, ['1'] = DIGIT, ['2'] = DIGIT, ['3'] = DIGIT, ['4'] = DIGIT,
    ['5'] = DIGIT, ['6'] = DIGIT, ['7'] = DIGIT, ['8'] = DIGIT, ['9'] = DIGIT,
    ['a'] = LETTER, ['b'] = LETTER, ['c'] = LETTER, ['d'] = LETTER, ['e'] = LETTER, ['f'] = LETTER, ['g'] = LETTER,
    ['h'] = LETTER, ['i'] = LETTER, ['j'] = LETTER, ['k'] = LETTER, ['l'] = LETTER, ['m'] = LETTER, ['n'] = LETTER,
    ['o'] = LETTER, ['p'] = LETTER, ['q'] = LETTER, ['r'] = LETTER, ['s'] = LETTER, ['t'] = LETTER, ['u'] = LETTER,
    ['v'] = LETTER, ['w'] = LETTER, ['x'] = LETTER, ['y'] = LETTER, ['z'] = LETTER,
    ['A'] = LETTER, ['B'] = LETTER, ['C'] = LETTER, ['D'] = LETTER, ['E'] = LETTER, ['F'] = LETTER, ['G'] = LETTER,
    ['H'] = LETTER, ['I'] = LETTER, ['J'] = LETTER, ['K'] = LETTER, ['L'] = LETTER, ['M'] = LETTER, ['N'] = LETTER,
    ['O'] = LETTER, ['P'] = LETTER, ['Q'] = LETTER, ['R'] = LETTER, ['S'] = LETTER, ['T'] = LETTER, ['U'] = LETTER,
    ['V'] = LETTER, ['W'] = LETTER, ['X'] = LETTER, ['Y'] = LETTER, ['Z'] = LETTER,
    ['_'] = LETTER, ['$'] = LETTER,
    ['('] = PUNCT, [')'] = PUNCT, ['['] = PUNCT, [']'] = PUNCT, ['<'] = PUNCT, ['>'] = PUNCT, [','] = PUNCT,
    ['@'] = PUNCT, ['!'] = PUNCT, ['+'] = PUNCT, ['-'] = PUNCT, ['*'] = PUNCT, ['&'] = PUNCT, ['|'] = PUNCT,
    ['^'] = PUNCT, ['~'] = PUNCT, ['='] = PUNCT, ['?'] = PUNCT, [':'] = PUNCT,
    [';'] = PUNCT | STOP, ['{'] = PUNCT | STOP, ['}'] = PUNCT | STOP, ['"'] = STOP,
    ['/'] = STOP | SKIP, ['#'] = STOP | SKIP, [0xef] = SKIP,
};
/* clang-format on */

/* Whether pos is the first byte of its line except for blanks, as a line marker must be. */
static bool starts_line(struct str text, uint32_t pos)
{
    while (pos && (text.p[pos - 1] == ' ' || text.p[pos - 1] == '\t')) pos--;
    return !pos || text.p[pos - 1] == '\n' || text.p[pos - 1] == '\r';
}

static uint32_t token_line_end(struct str text, uint32_t pos)
{
    for (; text.n - pos >= SIXTEEN; pos += SIXTEEN) {
        uint32_t first = sixteen_first((sixteen)(sixteen_load(text.p + pos) == '\n'));
        if (first < SIXTEEN) return pos + first;
    }
    while (pos < text.n && text.p[pos] != '\n') pos++;
    return pos;
}

static uint32_t block_comment_end(struct str text, uint32_t pos)
{
    for (uint32_t at = pos + 2; at < text.n; at++) {
        const char *star = memchr(text.p + at, '*', text.n - at);
        if (!star) break;
        at = (uint32_t)(star - text.p);
        if (at + 1 < text.n && text.p[at + 1] == '/') return at + 2;
    }
    return pos;
}

/* Returns the offset after the comment or line marker at pos; pos if there is none. pos must be
 * inside the text. */
static uint32_t comment_end(struct str text, uint32_t pos)
{
    char c = text.p[pos], next = pos + 1 < text.n ? text.p[pos + 1] : '\0';
    if (c == '/' && next == '/') return token_line_end(text, pos);
    if (c == '/' && next == '*') return block_comment_end(text, pos);
    return c == '#' && starts_line(text, pos) ? token_line_end(text, pos) : pos;
}

uint32_t token_skip_comments(struct str text, uint32_t pos)
{
    if (!pos && text.n >= 3 && !memcmp(text.p, "\xef\xbb\xbf", 3)) pos = token_skip_blanks(text, 3);
    while (token_class_at(text, pos, SKIP)) {
        uint32_t end = comment_end(text, pos);
        work_spend(1);
        if (end == pos) break;
        bool indented = text.n - end > 2 && text.p[end] == '\n' && text.p[end + 1] == '\t';
        pos = token_skip_blanks(text, indented ? end + 2 : end);
    }
    return pos;
}

/* Returns the first offset from at on where the name of a clock may begin; text.n if there is
 * none. */
static size_t find_clock(struct str text, size_t at)
{
    for (; text.n - at > 4 * SIXTEEN; at += 4 * SIXTEEN) {
        const char *p = text.p + at, *q = p + 2 * SIXTEEN;
        sixteen hits =
            scan_clocks(p) | scan_clocks(p + SIXTEEN) | scan_clocks(q) | scan_clocks(q + SIXTEEN);
        if (sixteen_first(hits) < SIXTEEN) break;
    }
    for (; text.n - at > SIXTEEN; at += SIXTEEN) {
        uint32_t first = sixteen_first(scan_clocks(text.p + at));
        if (first < SIXTEEN) return at + first;
    }
    while (at < text.n && text.p[at] != '%') at++;
    return at;
}

bool token_names_clock(struct str text)
{
    for (size_t at = find_clock(text, 0); at < text.n; at = find_clock(text, at + 1)) {
        struct str rest = {text.p + at, text.n - at};
        if (str_starts(rest, "%clock") || str_starts(rest, "%globaltimer")) return true;
    }
    return false;
}

static uint32_t dot_end(struct str text, uint32_t pos)
{
    uint32_t end = token_word_end(text, pos + 1);
    while (end + 2 < text.n && text.p[end] == ':' && text.p[end + 1] == ':' &&
           token_class_at(text, end + 2, TOKEN_CLASS_WORD))
        end = token_word_end(text, end + 2);
    return end;
}

static struct token string_token(struct str text, uint32_t pos)
{
    const char *quote = memchr(text.p + pos + 1, '"', text.n - pos - 1);
    if (!quote) return (struct token){TOKEN_BAD, {pos, (uint32_t)text.n}};
    return (struct token){TOKEN_STRING, {pos, (uint32_t)(quote - text.p) + 1}};
}

struct token token_read(struct str text, uint32_t pos)
{
    if (pos >= text.n) return (struct token){TOKEN_END, {(uint32_t)text.n, (uint32_t)text.n}};
    char c = text.p[pos];
    unsigned classes = token_classes[(unsigned char)c];
    if (classes & TOKEN_CLASS_LETTER)
        return (struct token){TOKEN_NAME, {pos, token_word_end(text, pos + 1)}};
    if (classes & TOKEN_CLASS_DIGIT)
        return (struct token){TOKEN_NUMBER, {pos, token_number_end(text, pos)}};
    bool more = token_class_at(text, pos + 1, TOKEN_CLASS_WORD);
    if (c == '%' && more) return (struct token){TOKEN_NAME, {pos, token_word_end(text, pos + 2)}};
    if (c == '.' && more) return (struct token){TOKEN_DOT, {pos, dot_end(text, pos)}};
    if (c == '"') return string_token(text, pos);
    if (c == '/' && pos + 1 < text.n && text.p[pos + 1] == '*')
        return (struct token){TOKEN_BAD, {pos, (uint32_t)text.n}};
    enum token_kind kind = c == '%' || c == '/' ? TOKEN_PUNCT : TOKEN_BAD;
    return (struct token){kind, {pos, pos + 1}};
}
