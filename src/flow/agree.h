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
    /* by block: the branch at its end depends on a condition that an earlier branch may have
     * decided. On other paths and at other branches, every edge is possible. */
    bool *decided;
};

/* Known conditions, as bits: yes: true; no: false. */
struct known {
    uint32_t yes, no;
};

/* Finds the conditions of two or more branches, at most AGREE_MOST; in arena. A branch counts only
 * if every register of its condition has certainly been written, since a register without a value
 * may have a different one at each read. False if no branch is decided. */
bool agree_find(struct agree *agree, const struct cfg *cfg, const struct source *source,
                struct arena *arena);

/* Passes a block and its n-th edge with what is known at its start, which becomes what is known
 * after the edge. False if the edge is impossible. The edge to the next instruction is the last. */
bool agree_take_edge(const struct agree *agree, const struct cfg *cfg, uint32_t block, uint32_t n,
                     struct known *known);

#endif
