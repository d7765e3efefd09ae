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
    bool changed;       /* something is deleted */
    bool judged;        /* and it is assembled and compared: there are not too many ways through */
    uint32_t kernel[2]; /* of the text that is assembled: after, before */
};

/* Who says what may go. */
enum judged { OPTIMIZER, CHECKER };

/* Of each program: the optimizer, what it deletes is marked; the checker, what is marked and not
 * proven to be redundant is no longer. */
void trials_decide(enum judged judged, struct trial *trials, uint32_t count);

/* Of which orders it is asked; false when that cannot be told. */
typedef bool pairs_finder(const struct body *body, struct pairs *pairs);

/* Assembles and judges those of which something is deleted. When print is set lines and words are
 * printed. False when ptxas refuses the texts. */
bool trials_judge(struct trial *trials, uint32_t count, pairs_finder *find, bool print);

void trial_free(struct trial *trial);

#endif
