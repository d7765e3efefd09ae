/* Chooses the next block for a dataflow solver: visits the marked blocks in the order of the text
 * or against it, repeatedly until no block is marked. */
#ifndef PTXOPT_FLOW_ROUNDS_H
#define PTXOPT_FLOW_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

struct rounds {
    bool *wanted; /* by block */
    uint32_t count, left, turn;
    bool backward;
};

/* Prepares the choice of blocks below count. No block is marked at first. The caller calls
 * rounds_free. */
void rounds_init(struct rounds *rounds, uint32_t count, bool backward);
void rounds_free(struct rounds *rounds);

void rounds_want(struct rounds *rounds, uint32_t block);

/* Unmarks the next marked block and sets *block to it. False if no block is marked. */
bool rounds_next(struct rounds *rounds, uint32_t *block);

#endif
