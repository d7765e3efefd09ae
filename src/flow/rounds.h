/* Chooses the next block for a solver of dataflow: those that are marked, in the order of the text
 * or against it, repeatedly until none is left. */
#ifndef PTXOPT_FLOW_ROUNDS_H
#define PTXOPT_FLOW_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

struct rounds {
    bool *wanted; /* by block */
    uint32_t count, left, turn;
    bool backward;
};

/* For blocks below count, none of them wanted. Release with rounds_free. */
void rounds_init(struct rounds *rounds, uint32_t count, bool backward);
void rounds_free(struct rounds *rounds);

void rounds_want(struct rounds *rounds, uint32_t block);

/* Takes the next one; false when none is wanted. */
bool rounds_next(struct rounds *rounds, uint32_t *block);

#endif
