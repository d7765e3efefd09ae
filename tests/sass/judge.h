/* Finds the orders that the text of a program guarantees and that are lost between two assemblies.
 */
#ifndef PTXOPT_TESTS_SASS_JUDGE_H
#define PTXOPT_TESTS_SASS_JUDGE_H

#include "cubin.h"
#include "body.h"

enum finding_kind {
    LOST_ORDER,      /* kept before, reversed after, and no kept sentence guarantees it */
    LOST_COMPLETION, /* complete before, perhaps not after; likewise */
    CURIOUS_ORDER,   /* like these, but another sentence still guarantees it */
    CURIOUS_COMPLETION,
    UNMATCHED, /* unknown: `first` is not found among the words, or no path has both */
    FINDING_KINDS
};

struct finding {
    enum finding_kind kind;
    bool elsewhere; /* nothing between the two was removed */
    const struct operation *deleted, *first, *second;
};

struct findings VEC(struct finding);

struct verdict {
    struct findings found;
    uint32_t pairs;     /* guaranteed orders */
    uint32_t gone;      /* of these: not guaranteed by a kept statement */
    uint32_t kept;      /* of these: ptxas still keeps them */
    uint32_t never;     /* of these: ptxas did not keep them before either */
    uint32_t unmatched; /* of all: unknown, see above */
};

/* pairs: those of program (see body.h). Adds to the verdict. */
void judge(const struct body *body, const struct pairs *pairs, const struct code *before,
           const struct code *after, struct verdict *verdict);

/* "tcgen05.fence::before_thread_sync: A then B turned round", in at most 400 bytes. */
void finding_name(const struct finding *finding, char *name, size_t size);

/* The words by which the operations of the program are found, in their order, as comments, one in
 * each line. */
void print_words(const struct body *body, const struct code *code);

#endif
