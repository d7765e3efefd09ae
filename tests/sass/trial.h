/* Programs that are optimized together, assembled together before and after, and judged. */
#ifndef PTXOPT_TESTS_SASS_TRIAL_H
#define PTXOPT_TESTS_SASS_TRIAL_H

#include "assemble.h"
#include "judge.h"

struct trial {
    struct draft draft;
    struct body body;
    struct pairs pairs;
    struct verdict verdict;
    bool changed;       /* a statement is removed */
    bool judged;        /* and it is assembled and compared: it does not have too many paths */
    uint32_t kernel[2]; /* in the assembled text: after, before */
};

/* Decides what is removed. */
enum judged { OPTIMIZER, CHECKER };

/* For each program. The optimizer: its removals are marked. The checker: marked statements that it
 * does not prove redundant are no longer marked. */
void trials_decide(enum judged judged, struct trial *trials, uint32_t count);

/* The orders to compare; false if they cannot be determined. */
typedef bool pairs_finder(const struct body *body, struct pairs *pairs);

/* Assembles and compares the programs with a removal. With print, lines and words are printed.
 * False if ptxas refuses the texts. */
bool trials_judge(struct trial *trials, uint32_t count, pairs_finder *find, bool print);

void trial_free(struct trial *trial);

#endif
