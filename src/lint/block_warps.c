/* Finds the warps that may reach each block. See block_warps.h. */
#include "lint/block_warps.h"

#include "base/vec.h"

/* The warps that may take the edge. */
static uint32_t warps_on_edge(const struct lint *lint, const struct lanes_shape *shape,
                              uint32_t from, uint32_t succ)
{
    struct condition_set set = {0};
    bool sure;
    if (!conditions_on_edge(lint->subject, from, succ, &set)) return 0;
    return set.count ? lanes_warps(lint->subject, shape, &set, &sure) : UINT32_MAX;
}

uint32_t *block_warps_find(const struct lint *lint, const struct lanes_shape *shape)
{
    const struct cfg *cfg = lint->cfg;
    uint32_t *warps = arena_alloc(lint->arena, cfg->count, sizeof *warps);
    struct VEC(uint32_t) open = {0}; /* blocks that more warps reach than were followed */
    warps[0] = UINT32_MAX;
    vec_push(&open, 0);
    while (open.count) {
        uint32_t from = open.at[--open.count];
        const struct block *block = &cfg->blocks[from];
        lint_spend(lint, block->succ_count + 1);
        for (uint32_t i = 0; i < block->succ_count; i++) {
            uint32_t succ = cfg->succs[block->first_succ + i];
            if (!(warps[from] & ~warps[succ])) continue;
            uint32_t more = warps[from] & ~warps[succ] & warps_on_edge(lint, shape, from, succ);
            warps[succ] |= more;
            if (more) vec_push(&open, succ);
        }
    }
    vec_free(&open);
    return warps;
}
