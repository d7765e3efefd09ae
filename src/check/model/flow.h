/* A dataflow problem: what may hold on the paths through a function. prove/solution.h solves it. */
#ifndef PTXOPT_CHECK_MODEL_FLOW_H
#define PTXOPT_CHECK_MODEL_FLOW_H

#include <stdbool.h>
#include <stdint.h>

struct flow_block {
    uint32_t start, end;           /* its instructions or events */
    uint32_t succ_start, succ_end; /* into succs */
};

/* What may hold is a set of bits. Sets are united where paths meet, and each bit is followed by
 * itself, so there is a smallest solution, and it is exact. */
struct flow {
    const struct flow_block *blocks; /* block 0 is the entry */
    const uint32_t *succs;
    uint32_t block_count;
    uint32_t words; /* 64-bit words of a set; 0: nothing to solve */
    void *of;       /* argument of the functions */
    /* Adds what holds at the entry to set. */
    void (*enter)(void *of, uint64_t *set);
    /* Changes set from the entry to the end of a block. Returns false at the first refusal, which
     * it records in *of. */
    bool (*pass)(void *of, uint32_t block, uint64_t *set);
    /* By block, kinds of what is in it, as bits: only a block with a kind in beginning may add to
     * an empty set, or refuse it. NULL: any block may. */
    const uint32_t *kinds;
    uint32_t beginning;
    const bool *reached; /* with kinds: by block, whether a path reaches it */
    /* By block, 1 << kind of each kind of removed event to which a path from its start leads. NULL:
     * not known. From a block that leads to no kind in removed, the bits of fading (by word) lead
     * to no refusal. */
    const uint32_t *leads;
    uint32_t removed;
    const uint64_t *fading;
};

static inline bool flow_is_empty(const uint64_t *set, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        if (set[w]) return false;
    return true;
}

/* Returns, for each block, whether a path from the entry reaches it. The caller frees it with
 * mem_free. count: number of blocks, at least one. */
bool *flow_find_reached(const struct flow_block *blocks, const uint32_t *succs, uint32_t count);

/* Adds to the bits of each block (by block) those of all blocks to which a path leads from it. May
 * add more than these. */
void flow_spread_back(const struct flow_block *blocks, const uint32_t *succs, uint32_t count,
                      uint32_t *bits);

#endif
