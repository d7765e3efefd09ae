/* What are the tokens of this text? The checker's own reader of PTX. */
#ifndef PTXOPT_CHECK_READ_TOKEN_H
#define PTXOPT_CHECK_READ_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "text/span.h"

enum token_kind {
    TOKEN_END,
    TOKEN_NAME, /* identifier, register, label, opcode */
    TOKEN_NUMBER,
    TOKEN_DOT, /* .word(::word)* */
    TOKEN_STRING,
    TOKEN_PUNCT, /* one byte */
    TOKEN_BAD    /* nothing PTX has; one byte, or an unterminated comment or string */
};

struct token {
    enum token_kind kind;
    struct span span;
};

/* The first byte at or after pos that is neither blank nor comment; text.n at the end. An
 * unterminated comment is not skipped. */
uint32_t token_skip(struct str text, uint32_t pos);

/* The token at or after pos; TOKEN_END with an empty span at the end. */
struct token token_next(struct str text, uint32_t pos);

static inline struct str token_text(struct str text, struct span span)
{
    return (struct str){text.p + span.start, span.end - span.start};
}

static inline bool token_is(struct str text, struct token token, char punct)
{
    return token.kind == TOKEN_PUNCT && text.p[token.span.start] == punct;
}

#endif
