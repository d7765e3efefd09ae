/* Finds the blocks that paths reach, and what they lead to. See flow.h. */
#include "check/model/flow.h"

#include "base/mem.h"
#include "base/vec.h"
#include "base/work.h"

bool *flow_find_reached(const struct flow_block *blocks, const uint32_t *succs, uint32_t count)
{
    bool *reached = mem_zalloc(count, sizeof *reached);
    struct VEC(uint32_t) todo = {0};
    reached[0] = true;
    vec_push(&todo, 0);
    while (todo.count) {
        const struct flow_block *block = &blocks[todo.at[--todo.count]];
        for (uint32_t s = block->succ_start; s < block->succ_end; s++) {
            if (reached[succs[s]]) continue;
            reached[succs[s]] = true;
            vec_push(&todo, succs[s]);
        }
    }
    vec_free(&todo);
    return reached;
}

/* Passes over the blocks from the last one to the first. Returns whether a bit was added. */
static bool add_bits_of_succs(const struct flow_block *blocks, const uint32_t *succs,
                              uint32_t count, uint32_t *bits)
{
    uint32_t grown = 0;
    work_spend(count);
    for (uint32_t b = count; b-- > 0;) {
        uint32_t all = bits[b];
        for (uint32_t s = blocks[b].succ_start; s < blocks[b].succ_end; s++) all |= bits[succs[s]];
        grown |= all ^ bits[b];
        bits[b] = all;
    }
    return grown != 0;
}

/* Most edges lead forward in the text, so few passes are enough. */
void flow_spread_back(const struct flow_block *blocks, const uint32_t *succs, uint32_t count,
                      uint32_t *bits)
{
    enum { PASSES_MAX = 16 };
    int passes = 0;
    while (passes < PASSES_MAX && add_bits_of_succs(blocks, succs, count, bits)) passes++;
    if (passes == PASSES_MAX) memset(bits, 0xff, count * sizeof *bits);
}
