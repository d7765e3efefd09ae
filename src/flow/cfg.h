/* The control-flow graph of one function. */
#ifndef PTXOPT_FLOW_CFG_H
#define PTXOPT_FLOW_CFG_H

#include "ptx/view.h"

/* Instructions [first, end); none in the block of a table of branch targets. Edges are indices of
 * blocks. */
struct block {
    uint32_t first, end;
    uint32_t first_succ, succ_count; /* into cfg.succs */
    uint32_t first_pred, pred_count; /* into cfg.preds; reachable predecessors only */
    bool reachable;
};

/* Block 0 is the entry. The body's end is an instruction. After the blocks of the text there is an
 * empty one for each table that a brx uses, so that n branches over n targets are 2n
 * edges. */
struct cfg {
    const struct function *function;
    struct block *blocks;
    uint32_t count;
    uint32_t *succs, *preds;
    uint32_t *block_of; /* for each instruction */
};

/* Builds the graph in arena. Returns NULL, or why this control flow cannot be followed (a static
 * text) with *at the instruction: a branch to no label in scope, or through an unknown table. */
const char *cfg_build(struct cfg *cfg, const struct function *function, const struct source *source,
                      struct arena *arena, uint32_t *at);

struct buf;
void cfg_dump(const struct cfg *cfg, const struct source *source, struct buf *out);

#endif
