/* The body of a kernel, a statement or label a line, and what the ISA's sentences say of it. */
#ifndef PTXOPT_TESTS_SASS_BODY_H
#define PTXOPT_TESTS_SASS_BODY_H

#include "base/buf.h"
#include "base/vec.h"
#include "vocabulary.h"

enum { MOST_LINES = 64, LINE = 200 };

/* The lines between a kernel's head and its end. */
struct draft {
    char line[MOST_LINES][LINE];
    bool deleted[MOST_LINES]; /* by the optimizer, or by hand */
    uint32_t count;
};

void draft_add(struct draft *draft, const char *line);

/* The head of a text, once. */
void print_head(struct buf *text);

/* A kernel: its registers, the lines (the deleted ones only if asked for), and an end at which what
 * was read is written to memory, so that no read is dead. */
void print_kernel(struct buf *text, const char *name, const struct draft *draft, bool before);

/* The last line of each kernel before those of the draft. */
extern const char last_line_of_head[];

/* ---- read ---- */

enum { NO_PREDICATE = -1, FREE_PREDICATE = -2, NO_TARGET = -1 };

struct statement {
    const struct operation *op; /* NULL: not in the vocabulary */
    uint32_t number;            /* what stands for `#` */
    int guard;                  /* a number from 0, one a predicate */
    bool negated, branches, deleted;
    int target; /* of a branch: a statement */
};

/* One statement a line of the draft. */
struct body {
    struct statement at[MOST_LINES];
    uint32_t count, predicates;
};

/* False when a branch goes nowhere. */
bool body_parse(struct body *body, const struct draft *draft);

/* ---- what the sentences guarantee: pairs.c ---- */

/* On some way through the program the first operation is guaranteed to come before the second, or
 * (completes) to be complete before it. */
struct pair {
    uint16_t first, second;
    uint16_t guarantor; /* a statement that says so; a deleted one if there is any */
    bool completes;
    bool around;  /* the way takes a loop's back edge between the two */
    bool gone;    /* on some such way nothing that is left says so */
    bool thinned; /* on some such way something between the two is deleted */
};

struct pairs VEC(struct pair);

/* Are the two ordered without a fence, or can nobody tell their order? (See pairs.c.) */
bool pair_is_excused(const struct operation *first, const struct operation *second);

/* False when there are too many ways through the program. */
bool pairs_of(const struct body *body, struct pairs *pairs);

#endif
