/* The body of a kernel, with a statement or label in each line, and the orders that the ISA
 * guarantees for it. */
#ifndef PTXOPT_TESTS_SASS_BODY_H
#define PTXOPT_TESTS_SASS_BODY_H

#include "base/buf.h"
#include "base/vec.h"
#include "vocabulary.h"

enum { MOST_LINES = 64, LINE = 200 };

/* The lines between a kernel's head and its end. */
struct draft {
    char line[MOST_LINES][LINE];
    bool deleted[MOST_LINES]; /* removed by the optimizer, or by the author of the test */
    uint32_t count;
};

void draft_add(struct draft *draft, const char *line);

/* The head of a text, written once. */
void print_head(struct buf *text);

/* A kernel: its registers, the lines (the removed ones only if requested), and an end that writes
 * all read values to memory, so that no read is dead. */
void print_kernel(struct buf *text, const char *name, const struct draft *draft, bool before);

/* The last line of each kernel before those of the draft. */
extern const char last_line_of_head[];

/* ---- reading ---- */

enum { NO_PREDICATE = -1, FREE_PREDICATE = -2, NO_TARGET = -1 };

struct statement {
    const struct operation *op; /* NULL: not in the vocabulary */
    uint32_t number;            /* the number in place of `#` */
    int guard;                  /* a number from 0, one for a predicate */
    bool negated, branches, deleted;
    int target; /* for a branch: the target statement */
};

/* One statement for each line of the draft. */
struct body {
    struct statement at[MOST_LINES];
    uint32_t count, predicates;
};

/* False if a branch has no target. */
bool body_parse(struct body *body, const struct draft *draft);

/* ---- what the sentences of the ISA guarantee: pairs.c ---- */

/* On some path the first operation is guaranteed to come before the second or, with completes, to
 * be complete before it. */
struct pair {
    uint16_t first, second;
    uint16_t guarantor; /* a statement that guarantees it; a removed one if there is any */
    bool completes;
    bool around;  /* the path takes the back edge of a loop between the two */
    bool gone;    /* on some such path no kept statement guarantees it */
    bool thinned; /* on some such path a statement between the two is removed */
};

struct pairs VEC(struct pair);

/* Whether the two are ordered without a fence, or their order is not observable. (See pairs.c.) */
bool pair_is_excused(const struct operation *first, const struct operation *second);

/* False if the program has too many paths. */
bool pairs_of(const struct body *body, struct pairs *pairs);

#endif
