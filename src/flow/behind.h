/* The blocks that control reaches from the end of each block. */
#ifndef PTXOPT_FLOW_BEHIND_H
#define PTXOPT_FLOW_BEHIND_H

#include "flow/loops.h"

enum { BEHIND_CHUNK = 1024 };

/* For each block a set of blocks, as chunks of bits. Blocks share the chunks that are equal, and
 * control mostly goes down, so most sets have one chunk of their own. */
struct blocks_behind {
    const uint64_t *const **chunks; /* by block: its chunks, each of BEHIND_CHUNK bits */
};

/* Finds the sets of all blocks, in arena. loops: of loops_find_components, with the members.
 * Takes about (blocks + edges) * (blocks / BEHIND_CHUNK + 1) steps. */
const struct blocks_behind *behind_find(const struct cfg *cfg, const struct loops *loops,
                                        struct arena *arena);

/* Control may reach the block `to` from the end of the block `from`. */
static inline bool behind_has(const struct blocks_behind *behind, uint32_t from, uint32_t to)
{
    const uint64_t *chunk = behind->chunks[from][to / BEHIND_CHUNK];
    return chunk[to % BEHIND_CHUNK / 64] >> (to % 64) & 1;
}

/* Control may reach the instruction `second` after the instruction `first`, whatever the conditions
 * of the two. */
static inline bool behind_follows(const struct blocks_behind *behind, const struct cfg *cfg,
                                  uint32_t first, uint32_t second)
{
    uint32_t from = cfg->block_of[first], to = cfg->block_of[second];
    return (from == to && first < second) || behind_has(behind, from, to);
}

#endif
