/* A question about what may hold on the paths through a function. Defined here, solved by
 * prove/solution.h. */
#ifndef PTXOPT_CHECK_MODEL_FLOW_H
#define PTXOPT_CHECK_MODEL_FLOW_H

#include <stdbool.h>
#include <stdint.h>

struct flow_block {
    uint32_t start, end;           /* its elements: instructions, or events */
    uint32_t succ_start, succ_end; /* into succs */
};

/* What may hold is a set of bits. Where paths meet their sets are united, and each bit is followed
 * on its own: so there is a smallest answer, and it is exact. */
struct flow {
    const struct flow_block *blocks; /* block 0 is the entry */
    const uint32_t *succs;
    uint32_t block_count;
    uint32_t words; /* of a set; 0: there is no question */
    void *of;       /* for the functions */
    /* Adds what holds at the entry. */
    void (*enter)(void *of, uint64_t *set);
    /* Sends a set through a block; false at the first refusal, which *of then records. */
    bool (*pass)(void *of, uint32_t block, uint64_t *set);
    /* Whether a block adds anything to an empty set, or refuses it; NULL: any may. */
    bool (*begins)(void *of, uint32_t block);
    const bool *reached; /* with begins: by block, whether a path leads there */
};

/* By block, whether a path from the entry leads there; released with mem_free. count: of blocks, at
 * least one. */
bool *flow_find_reached(const struct flow_block *blocks, const uint32_t *succs, uint32_t count);

#endif
