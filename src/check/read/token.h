/* Reads the tokens of a text, independently of the optimizer's reader. */
#ifndef PTXOPT_CHECK_READ_TOKEN_H
#define PTXOPT_CHECK_READ_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "base/work.h"
#include "check/read/scan.h"
#include "text/span.h"

enum token_kind {
    TOKEN_END,
    TOKEN_NAME, /* identifier, register, label, opcode */
    TOKEN_NUMBER,
    TOKEN_DOT, /* .word(::word)* */
    TOKEN_STRING,
    TOKEN_PUNCT, /* one byte */
    TOKEN_BAD    /* not a token of PTX: one byte, or an unterminated comment or string */
};

struct token {
    enum token_kind kind;
    struct span span;
};

/* Bits for what a byte may be part of. */
enum token_class {
    TOKEN_CLASS_WORD = 1 << 0, /* letter, digit, _ or $ */
    TOKEN_CLASS_DIGIT = 1 << 1,
    TOKEN_CLASS_BLANK = 1 << 2,
    TOKEN_CLASS_SKIP = 1 << 3,  /* a comment, a line marker or a byte-order mark may begin here */
    TOKEN_CLASS_PUNCT = 1 << 4, /* a token by itself, whatever follows */
    TOKEN_CLASS_STOP = 1 << 5,  /* `;` or a brace, or where a comment or string may begin */
    TOKEN_CLASS_LETTER = 1 << 6 /* WORD without digits */
};

extern const uint8_t token_classes[256];

/* Whether pos is inside the text and its byte has one of the classes. */
static inline bool token_class_at(struct str text, uint32_t pos, unsigned classes)
{
    return pos < text.n && token_classes[(unsigned char)text.p[pos]] & classes;
}

static inline uint32_t token_skip_blanks(struct str text, uint32_t pos)
{
    while (token_class_at(text, pos, TOKEN_CLASS_BLANK)) pos++;
    return pos;
}

/* As token_skip, where a comment, a line marker or a byte-order mark may begin at pos. */
uint32_t token_skip_comments(struct str text, uint32_t pos);

/* Returns the first offset from pos on that is neither in a blank nor in a comment; text.n at the
 * end. An unterminated comment is not skipped. */
static inline uint32_t token_skip(struct str text, uint32_t pos)
{
    enum { BOTH = TOKEN_CLASS_BLANK | TOKEN_CLASS_SKIP };
    for (; token_class_at(text, pos, BOTH); pos++)
        if (token_class_at(text, pos, TOKEN_CLASS_SKIP)) return token_skip_comments(text, pos);
    return pos;
}

/* As token_skip, where a line feed and a tab, with which most lines end and begin, are likely. */
static inline uint32_t token_skip_line(struct str text, uint32_t pos)
{
    if (text.n - pos > 2 && text.p[pos] == '\n' && text.p[pos + 1] == '\t') pos += 2;
    return token_skip(text, pos);
}

/* Returns the end of the letters and digits from pos on. */
static inline uint32_t token_word_end(struct str text, uint32_t pos)
{
    while (token_class_at(text, pos, TOKEN_CLASS_WORD)) pos++;
    return pos;
}

/* Returns the first offset from pos on with a byte of class STOP; text.n if there is none. */
static inline uint32_t token_stop(struct str text, uint32_t pos)
{
    for (; text.n - pos >= SIXTEEN; pos += SIXTEEN) {
        uint32_t first = sixteen_first(scan_stops(sixteen_load(text.p + pos)));
        if (first < SIXTEEN) return pos + first;
    }
    while (pos < text.n && !token_class_at(text, pos, TOKEN_CLASS_STOP)) pos++;
    return pos;
}

/* Returns the end of the number that begins at pos. */
static inline uint32_t token_number_end(struct str text, uint32_t pos)
{
    while (token_class_at(text, pos, TOKEN_CLASS_WORD) || (pos < text.n && text.p[pos] == '.'))
        pos++;
    return pos;
}

/* Whether the name of a clock occurs in text. Reading a clock makes the time of an operation
 * observable. */
bool token_names_clock(struct str text);

/* As token_next, for a pos without blanks or comments, in most cases not at a token of one byte. */
struct token token_read(struct str text, uint32_t pos);

/* Returns the token at or after pos; TOKEN_END with an empty span at the end. */
static inline struct token token_next(struct str text, uint32_t pos)
{
    work_spend(1);
    pos = token_skip(text, pos);
    if (token_class_at(text, pos, TOKEN_CLASS_PUNCT))
        return (struct token){TOKEN_PUNCT, {pos, pos + 1}};
    return token_read(text, pos);
}

static inline struct str token_text(struct str text, struct span span)
{
    return (struct str){text.p + span.start, span.end - span.start};
}

static inline bool token_is(struct str text, struct token token, char punct)
{
    return token.kind == TOKEN_PUNCT && text.p[token.span.start] == punct;
}

#endif
