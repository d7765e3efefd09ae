/* Reads the statements of a function body, and recognises those that a rewrite may remove. */
#ifndef PTXOPT_CHECK_READ_STATEMENT_H
#define PTXOPT_CHECK_READ_STATEMENT_H

#include "base/vec.h"
#include "check/read/token.h"

enum statement_kind {
    STATEMENT_OPEN,        /* { */
    STATEMENT_CLOSE,       /* } */
    STATEMENT_LABEL,       /* name : */
    STATEMENT_DIRECTIVE,   /* .word … ; and .loc */
    STATEMENT_INSTRUCTION, /* [guard] opcode … ; */
    STATEMENT_EMPTY,       /* ; */
    STATEMENT_END,
    STATEMENT_BAD /* not understood; span has the part that was read */
};

/* One statement of a function body. */
struct statement {
    enum statement_kind kind;
    struct span span;  /* from its first token to the `;`, inclusive */
    struct span head;  /* name of the label, word of the directive, or first word of the opcode */
    struct span guard; /* the predicate; empty if there is none */
    bool negated;
    uint32_t modifiers; /* offset after head */
};

/* What statement_next knows about the text that follows, so that it does not search for a missing
 * end again from each word. Zero-initialise it; free braces with vec_free. */
struct statement_memo {
    uint32_t endless;            /* no statement that begins before this offset has a `;` */
    struct VEC(uint32_t) braces; /* open braces at the position of statement_next */
};

/* Returns the statement at or after pos. memo: kept from call to call with ascending pos; NULL for
 * a single call. */
struct statement statement_next(struct str text, uint32_t pos, struct statement_memo *memo);

/* Returns the offset of the first `;` from pos on if before it there are only pairs of braces, not
 * nested, and no comment or string; otherwise text.n. */
static inline uint32_t statement_plain_stop(struct str text, uint32_t pos)
{
    uint32_t stop = token_stop(text, pos);
    while (stop < text.n && text.p[stop] == '{') {
        stop = token_stop(text, stop + 1);
        if (stop == text.n || text.p[stop] != '}') return (uint32_t)text.n;
        stop = token_stop(text, stop + 1);
    }
    return stop < text.n && text.p[stop] == ';' ? stop : (uint32_t)text.n;
}

/* Returns the offset after the `;` of the instruction at pos if it has the most common form: no
 * guard, an opcode of several words, and an end that statement_plain_stop finds. Otherwise returns
 * 0, and the caller must use statement_next. */
static inline uint32_t statement_plain_end(struct str text, uint32_t pos)
{
    if (!token_class_at(text, pos, TOKEN_CLASS_LETTER) || text.n - pos < SIXTEEN) return 0;
    sixteen block = sixteen_load(text.p + pos);
    uint32_t word = sixteen_first(scan_word_ends(block));
    if (word == SIXTEEN || text.p[pos + word] != '.') return 0;
    uint32_t stop = statement_plain_stop(text, pos);
    return stop < text.n ? stop + 1 : 0;
}

/* The kinds of statements whose removal can be proven. */
enum statement_sync {
    SYNC_NONE,
    SYNC_WAIT_LD,
    SYNC_WAIT_ST,
    SYNC_BEFORE,
    SYNC_AFTER,
    SYNC_PROXY /* fence.proxy.async* */
};

/* As statement_sync, for an instruction with the first letter of tcgen05 or fence. */
enum statement_sync statement_sync_form(struct str text, const struct statement *statement);

/* Returns the kind of this statement by its complete spelling; SYNC_NONE if it must not be
 * removed. */
static inline enum statement_sync statement_sync(struct str text, const struct statement *statement)
{
    if (statement->kind != STATEMENT_INSTRUCTION) return SYNC_NONE;
    char first = text.p[statement->head.start];
    return first == 't' || first == 'f' ? statement_sync_form(text, statement) : SYNC_NONE;
}

/* A statement that a rewrite may remove. */
struct statement_site {
    struct span span;
    uint32_t gap; /* end of the token before it */
    bool deleted; /* set by diff_sites */
};

struct statement_sites VEC(struct statement_site);

#endif
