/* Finds the orders that a program's text guaranteed and that are lost between two assemblies. */
#ifndef PTXOPT_TESTS_SASS_JUDGE_H
#define PTXOPT_TESTS_SASS_JUDGE_H

#include "cubin.h"
#include "body.h"

enum finding_kind {
    LOST_ORDER,      /* kept before, turned round after, and no sentence left that says so */
    LOST_COMPLETION, /* complete before, perhaps not after, the same */
    CURIOUS_ORDER,   /* as these, but another sentence still says so */
    CURIOUS_COMPLETION,
    UNMATCHED, /* not known: `first` is not found among the words, or no way takes both */
    FINDING_KINDS
};

struct finding {
    enum finding_kind kind;
    bool elsewhere; /* nothing between the two was deleted */
    const struct operation *deleted, *first, *second;
};

struct findings VEC(struct finding);

struct verdict {
    struct findings found;
    uint32_t pairs;     /* that were guaranteed */
    uint32_t gone;      /* of these: by nothing that is left */
    uint32_t kept;      /* of these: ptxas keeps them all the same */
    uint32_t never;     /* of these: it did not keep them before either */
    uint32_t unmatched; /* of all: nobody knows, see above */
};

/* pairs: those of program (see body.h). Adds to the verdict. */
void judge(const struct body *body, const struct pairs *pairs, const struct code *before,
           const struct code *after, struct verdict *verdict);

/* "tcgen05.fence::before_thread_sync: A then B turned round", in at most 400 bytes. */
void finding_name(const struct finding *finding, char *name, size_t size);

/* The words that the program's operations are found by, in their order, one a line of comment. */
void print_words(const struct body *body, const struct code *code);

#endif
