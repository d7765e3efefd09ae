/* The blocks to process (again), taken in the order of the text in repeated passes. */
#ifndef PTXOPT_CHECK_PROVE_WORKLIST_H
#define PTXOPT_CHECK_PROVE_WORKLIST_H

#include <stdint.h>

#define WORKLIST_NONE UINT32_MAX

enum { WORKLIST_LEVELS = 6 };

/* A set of numbers, as bits. Level 0 has a bit for each number; each higher level has a bit for
 * each word of the level below that is not zero. */
struct worklist {
    uint64_t *words[WORKLIST_LEVELS];
    uint32_t counts[WORKLIST_LEVELS]; /* number of words in each level */
    uint32_t depth, at;               /* at: the number at which the next search begins */
};

/* Initialises an empty list for numbers below blocks. Release it with worklist_free. */
void worklist_init(struct worklist *list, uint32_t blocks);
void worklist_free(struct worklist *list);

void worklist_add(struct worklist *list, uint32_t block);

/* Removes and returns the next block; NONE if the list is empty. */
uint32_t worklist_next(struct worklist *list);

#endif
