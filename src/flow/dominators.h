/* Answers which blocks are on every path from one place to another. */
#ifndef PTXOPT_FLOW_DOMINATORS_H
#define PTXOPT_FLOW_DOMINATORS_H

#include "flow/cfg.h"

/* The tree of dominators of the paths that begin at one place. The caller gives arrays with room
 * for cfg->count numbers. */
struct dominators {
    uint32_t *number; /* by block: its number in preorder; UINT32_MAX: no path leads to it */
    uint32_t *size;   /* by block: the number of blocks that it dominates, with itself */
};

/* Sets the arrays of *found. `from`: the paths begin at the end of this block; cfg->count: at the
 * beginning of the function. */
void dominators_find(const struct cfg *cfg, uint32_t from, struct dominators *found);

/* Sets, by block, the first other block that each path from it to the end of the function enters;
 * cfg->count: there is none, or no path leads to the end. joins: cfg->count numbers. */
void dominators_find_joins(const struct cfg *cfg, uint32_t *joins);

/* Some path enters the block. */
static inline bool dominators_reach(const struct dominators *dominators, uint32_t block)
{
    return dominators->number[block] != UINT32_MAX;
}

/* Every path that enters block `to` has entered block `by` before, or `by` is `to`. */
static inline bool dominators_have(const struct dominators *dominators, uint32_t by, uint32_t to)
{
    return dominators->number[to] - dominators->number[by] < dominators->size[by];
}

#endif
