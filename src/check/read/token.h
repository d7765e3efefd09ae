/* The checker's own reader of PTX: tokens, and statements of a function body. */
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

enum statement_kind {
    STATEMENT_OPEN,        /* { */
    STATEMENT_CLOSE,       /* } */
    STATEMENT_LABEL,       /* name : */
    STATEMENT_DIRECTIVE,   /* .word … ; and .loc */
    STATEMENT_INSTRUCTION, /* [guard] opcode … ; */
    STATEMENT_EMPTY,       /* ; */
    STATEMENT_END,
    STATEMENT_BAD /* not understood; the span is what was read of it */
};

/* One statement of a function body. */
struct statement {
    enum statement_kind kind;
    struct span span;  /* from its first token through the `;` */
    struct span head;  /* the label's name, the directive's word, or the opcode's first word */
    struct span guard; /* the predicate, empty when there is none */
    bool negated;
    uint32_t modifiers; /* where the tokens after head start */
};

struct statement statement_next(struct str text, uint32_t pos);

/* Statements whose deletion can be proved. */
enum statement_sync {
    SYNC_NONE,
    SYNC_WAIT_LD,
    SYNC_WAIT_ST,
    SYNC_BEFORE,
    SYNC_AFTER,
    SYNC_PROXY /* fence.proxy.async* */
};

/* Which of them this instruction is, its whole spelling included. */
enum statement_sync statement_sync(struct str text, const struct statement *statement);

#endif
