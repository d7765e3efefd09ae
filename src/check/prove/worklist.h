/* Blocks that are to be looked at (again), given out in the order of the text, round and round. */
#ifndef PTXOPT_CHECK_PROVE_WORKLIST_H
#define PTXOPT_CHECK_PROVE_WORKLIST_H

#include <stdint.h>

#define WORKLIST_NONE UINT32_MAX

enum { WORKLIST_LEVELS = 6 };

/* A set of numbers as bits; a bit of each further level is set if a word below has any bit. */
struct worklist {
    uint64_t *words[WORKLIST_LEVELS];
    uint32_t counts[WORKLIST_LEVELS]; /* of words */
    uint32_t depth, at;               /* at: where the next look begins */
};

/* For numbers below blocks. Release with worklist_free. */
void worklist_init(struct worklist *list, uint32_t blocks);
void worklist_free(struct worklist *list);

void worklist_add(struct worklist *list, uint32_t block);

/* Takes the next one off; NONE when all are done. */
uint32_t worklist_next(struct worklist *list);

#endif
