/* What are the tokens of this text? See token.h. Comments end at LF only; strings have no
 * escapes; a word glued to a dot is one token with all its `::` parts. */
#include "check/read/token.h"

#include "base/work.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$';
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* A line marker stands alone on its line. */
static bool starts_line(struct str text, uint32_t pos)
{
    while (pos && (text.p[pos - 1] == ' ' || text.p[pos - 1] == '\t')) pos--;
    return !pos || text.p[pos - 1] == '\n' || text.p[pos - 1] == '\r';
}

static uint32_t line_end(struct str text, uint32_t pos)
{
    const char *lf = memchr(text.p + pos, '\n', text.n - pos);
    return lf ? (uint32_t)(lf - text.p) : (uint32_t)text.n;
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

uint32_t token_skip(struct str text, uint32_t pos)
{
    if (!pos && text.n >= 3 && !memcmp(text.p, "\xef\xbb\xbf", 3)) pos = 3;
    while (pos < text.n) {
        char c = text.p[pos];
        if (is_blank(c)) {
            pos++;
        } else if (c == '/' && pos + 1 < text.n && text.p[pos + 1] == '/') {
            work_spend(1);
            pos = line_end(text, pos);
        } else if (c == '/' && pos + 1 < text.n && text.p[pos + 1] == '*') {
            uint32_t end = block_comment_end(text, pos);
            if (end == pos) return pos;
            pos = end;
        } else if (c == '#' && starts_line(text, pos)) {
            pos = line_end(text, pos);
        } else {
            return pos;
        }
    }
    return (uint32_t)text.n;
}

static uint32_t word_end(struct str text, uint32_t pos)
{
    while (pos < text.n && is_word(text.p[pos])) pos++;
    return pos;
}

static uint32_t dot_end(struct str text, uint32_t pos)
{
    uint32_t end = word_end(text, pos + 1);
    while (end + 2 < text.n && text.p[end] == ':' && text.p[end + 1] == ':' &&
           is_word(text.p[end + 2]))
        end = word_end(text, end + 2);
    return end;
}

static uint32_t number_end(struct str text, uint32_t pos)
{
    while (pos < text.n && (is_word(text.p[pos]) || text.p[pos] == '.')) pos++;
    return pos;
}

static struct token string_token(struct str text, uint32_t pos)
{
    const char *quote = memchr(text.p + pos + 1, '"', text.n - pos - 1);
    if (!quote) return (struct token){TOKEN_BAD, {pos, (uint32_t)text.n}};
    return (struct token){TOKEN_STRING, {pos, (uint32_t)(quote - text.p) + 1}};
}

static bool is_punct(char c)
{
    return c && strchr("{}()[]<>,;:@!+-*/%&|^~=?", c) != NULL;
}

struct token token_next(struct str text, uint32_t pos)
{
    work_spend(1);
    pos = token_skip(text, pos);
    if (pos >= text.n) return (struct token){TOKEN_END, {(uint32_t)text.n, (uint32_t)text.n}};
    char c = text.p[pos];
    bool more = pos + 1 < text.n && is_word(text.p[pos + 1]);
    if (is_digit(c)) return (struct token){TOKEN_NUMBER, {pos, number_end(text, pos)}};
    if (is_word(c) || (c == '%' && more))
        return (struct token){TOKEN_NAME, {pos, word_end(text, pos + 1)}};
    if (c == '.' && more) return (struct token){TOKEN_DOT, {pos, dot_end(text, pos)}};
    if (c == '"') return string_token(text, pos);
    if (c == '/' && pos + 1 < text.n && text.p[pos + 1] == '*')
        return (struct token){TOKEN_BAD, {pos, (uint32_t)text.n}};
    enum token_kind kind = is_punct(c) ? TOKEN_PUNCT : TOKEN_BAD;
    return (struct token){kind, {pos, pos + 1}};
}
