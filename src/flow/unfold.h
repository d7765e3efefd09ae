/* Makes a function without the paths on which branches with the same condition disagree. It has a
 * copy of each block for each set of conditions that is known at its start. */
#ifndef PTXOPT_FLOW_UNFOLD_H
#define PTXOPT_FLOW_UNFOLD_H

#include "flow/agree.h"

/* The copies of a block follow each other, in the order of the blocks. */
struct unfold {
    /* has the instructions that order anything, or access a requested register */
    struct function function;
    struct cfg cfg;
    uint32_t *origin; /* by instruction: the index of the instruction in the original function */
    /* by instruction of the original function: its index in each copy of its block */
    uint32_t *rank;
    uint32_t *first_copy; /* by block of the original graph, and one more: index in cfg.blocks */
};

/* Fills *unfold, in arena; cfg and agree are borrowed. False if every edge is possible, or if there
 * would be too many blocks (more than four times as many, or more than 64 copies of one). */
bool unfold_build(struct unfold *unfold, const struct cfg *cfg, const struct agree *agree,
                  struct arena *arena);

#endif
