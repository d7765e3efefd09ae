/* The control-flow graph of one function. */
#ifndef PTXOPT_FLOW_CFG_H
#define PTXOPT_FLOW_CFG_H

#include "ptx/view.h"

/* Instructions [first, end); the block of a table of branch targets has none. Successors and
 * predecessors are indices of blocks. */
struct block {
    uint32_t first, end;
    uint32_t first_succ, succ_count; /* first_succ: index in cfg.succs */
    /* first_pred: index in cfg.preds, which has reachable predecessors only */
    uint32_t first_pred, pred_count;
    bool reachable;
};

/* Block 0 is the entry. The end of the body is an instruction. After the blocks of the text there
 * is an empty block for each table that a brx uses, so n branches over n targets are 2n edges. */
struct cfg {
    const struct function *function;
    struct block *blocks;
    uint32_t count;
    uint32_t *succs, *preds;
    uint32_t *block_of; /* by instruction */
};

/* Builds the graph in arena. function and source are borrowed. Returns NULL, or a static text that
 * says why this control flow cannot be followed; *at is then the instruction: a branch to a label
 * that is not in scope, or through an unknown table. */
const char *cfg_build(struct cfg *cfg, const struct function *function, const struct source *source,
                      struct arena *arena, uint32_t *at);

/* Sets the predecessors of each block, in arena, from the successors of all reachable blocks. */
void cfg_find_preds(struct cfg *cfg, struct arena *arena);

/* Marks the block and all blocks from which a path leads to it. leads: by block; what leads to a
 * marked block must be marked already. */
void cfg_mark_leading(const struct cfg *cfg, uint32_t block, bool *leads);

struct buf;
void cfg_dump(const struct cfg *cfg, const struct source *source, struct buf *out);

#endif
