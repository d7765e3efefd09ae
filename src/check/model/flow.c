/* Finds the blocks that paths reach. See flow.h. */
#include "check/model/flow.h"

#include "base/mem.h"
#include "base/vec.h"

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
