/* Reads statements of a function's body, and decides which may be removed. */
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

/* What is known of the text that follows, so that an absent end is not searched for from each
 * of its words. Zero at first; its braces are for free with vec_free. */
struct statement_memo {
    uint32_t endless;            /* no statement that begins before this place reaches its `;` */
    struct VEC(uint32_t) braces; /* that are open, where statement_next is */
};

/* The statement at or after pos; with a memo, pos only grows. memo: NULL for a single one. */
struct statement statement_next(struct str text, uint32_t pos, struct statement_memo *memo);

/* The end of the instruction at pos when it is as plain as most: without a guard, with an opcode of
 * several words, and with neither brace nor comment nor string up to its `;`. Else 0, and
 * statement_next must be used. */
static inline uint32_t statement_plain_end(struct str text, uint32_t pos)
{
    if (!token_class_at(text, pos, TOKEN_CLASS_LETTER) || text.n - pos < SCAN_BYTES) return 0;
    scan_block block = scan_load(text.p + pos);
    uint32_t word = scan_first(scan_word_ends(block));
    if (word == SCAN_BYTES || text.p[pos + word] != '.') return 0;
    uint32_t stop = pos + scan_first(scan_stops(block));
    if (stop == pos + SCAN_BYTES) stop = token_stop(text, stop);
    return stop < text.n && text.p[stop] == ';' ? stop + 1 : 0;
}

/* Statements with a removal that can be proved. */
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

/* One of them. */
struct statement_site {
    struct span span;
    uint32_t gap; /* the end of the token before it */
    bool deleted; /* filled in by diff_sites */
};

struct statement_sites VEC(struct statement_site);

#endif
