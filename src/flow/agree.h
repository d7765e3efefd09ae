/* Finds the branches that go by the same condition. From one write of a register to the next it has
 * one value, so branches by one predicate agree, and so do those by equal comparisons. */
#ifndef PTXOPT_FLOW_AGREE_H
#define PTXOPT_FLOW_AGREE_H

#include "flow/cfg.h"

enum { AGREE_MOST = 32 };

/* The passes over the blocks; control that runs against the order of the text needs a
 * pass for each block, which takes too long. */
enum { AGREE_PASSES = 8 };
#define AGREE_NONE UINT32_MAX

/* Conditions are numbered: predicates that several branches go by, and comparisons that several
 * branches go by the result of, each right after it in its block. */
struct agree {
    uint32_t count;
    uint32_t *decider; /* by block: the condition of the branch at its end, or NONE */
    uint32_t *ended;   /* by block: bits of conditions that may have another value after it */
};

/* The conditions of two branches or more, in arena. Only where every register that one is about has
 * certainly been written, since an unwritten one need not be the same twice. False when there are
 * none. */
bool agree_find(struct agree *agree, const struct cfg *cfg, const struct source *source,
                struct arena *arena);

/* The branch at the end of a block when it is guarded, else NULL. */
const struct instr *agree_branch(const struct cfg *cfg, uint32_t block);

#endif
