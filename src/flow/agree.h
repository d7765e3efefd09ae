/* Finds the branches that depend on the same condition. A register has one value from one write to
 * the next, so branches on one predicate agree, and so do branches on equal comparisons. */
#ifndef PTXOPT_FLOW_AGREE_H
#define PTXOPT_FLOW_AGREE_H

#include "flow/cfg.h"

enum { AGREE_MOST = 32 };

/* The most passes over the blocks. Control flow against the order of the text may need a pass for
 * each block, which would take too long. */
enum { AGREE_PASSES = 8 };
#define AGREE_NONE UINT32_MAX

/* Conditions are numbered: predicates that are the guard of several branches, and comparisons with
 * equal operands whose results are the guards of several branches, each in the block of its branch.
 */
struct agree {
    uint32_t count;
    /* by block: the condition on which the branch at its end depends, or AGREE_NONE */
    uint32_t *decider;
    uint32_t *ended; /* by block: bits of the conditions whose value may be different after it */
};

/* Finds the conditions of two or more branches, at most AGREE_MOST; in arena. A branch counts only
 * if every register of its condition has certainly been written, since a register without a value
 * may have a different one at each read. False if there are no conditions. */
bool agree_find(struct agree *agree, const struct cfg *cfg, const struct source *source,
                struct arena *arena);

/* The branch at the end of a block, if it has a guard; otherwise NULL. */
const struct instr *agree_branch(const struct cfg *cfg, uint32_t block);

#endif
