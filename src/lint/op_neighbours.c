/* Sorts the operations by their columns. See op_neighbours.h. */
#include "lint/op_neighbours.h"

#include "base/intern.h"
#include "base/intervals.h"
#include "base/mem.h"

struct op_neighbours {
    /* Of indices in handovers->ops: by the columns from a fixed base, and by those from the address
     * as it is written. */
    struct intervals fixed, written;
    uint32_t *kinds;       /* by operation; those of one kind have the same neighbours */
    struct op_list *lists; /* by kind; at NULL: not asked yet */
};

/* What decides which operations conflict with an operation. Keys of intern: no padding. */
struct columns {
    int64_t first, written;
    uint32_t base, written_base, count, access; /* access: twice, and whether of all lanes */
};

static struct columns columns_of(const struct tmem_range *range)
{
    return (struct columns){range->first,     range->address.offset,
                            range->base.base, range->address.base,
                            range->count,     range->access * 2u + range->all_lanes};
}

static void add_columns(const struct tensor_op *op, uint32_t item, struct interval_list *fixed,
                        struct interval_list *written)
{
    for (uint32_t i = 0; i < op->range_count; i++) {
        const struct tmem_range *range = &op->ranges[i];
        int64_t count = range->count ? range->count : 1;
        vec_push(fixed, ((struct interval){range->base.base, item, range->first,
                                           plus_wrapped(range->first, count)}));
        if (!i)
            vec_push(written, ((struct interval){range->address.base, item, range->address.offset,
                                                 plus_wrapped(range->address.offset, count)}));
    }
}

static struct op_neighbours *sort_ops(const struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    struct op_neighbours *kept = arena_alloc(lint->arena, 1, sizeof *kept);
    struct interval_list fixed = {0}, written = {0};
    struct columns(*keys)[TMEM_RANGES_MAX] = mem_alloc((all->op_count + 1) * sizeof *keys);
    struct intern kinds = {0};
    kept->kinds = arena_room(lint->arena, all->op_count, sizeof *kept->kinds);
    lint_spend(lint, all->op_count);
    for (uint32_t i = 0; i < all->op_count; i++) {
        const struct tensor_op *op = &all->ops[i];
        for (uint32_t k = 0; k < op->range_count; k++) keys[i][k] = columns_of(&op->ranges[k]);
        kept->kinds[i] =
            intern_add(&kinds, op->range_count,
                       (struct str){(const char *)keys[i], op->range_count * sizeof keys[i][0]});
        add_columns(op, i, &fixed, &written);
    }
    kept->lists = arena_alloc(lint->arena, kinds.count, sizeof *kept->lists);
    kept->fixed = intervals_sort(lint->arena, &fixed);
    kept->written = intervals_sort(lint->arena, &written);
    intern_free(&kinds);
    mem_free(keys);
    vec_free(&fixed);
    vec_free(&written);
    return kept;
}

static struct op_list find_neighbours_of(const struct lint *lint,
                                         const struct op_neighbours *neighbours,
                                         const struct tensor_op *op)
{
    struct item_list found = {0};
    struct interval_list fixed = {0}, written = {0};
    add_columns(op, 0, &fixed, &written);
    for (uint32_t i = 0; i < fixed.count; i++)
        intervals_find(&neighbours->fixed, fixed.at[i].key, fixed.at[i].first, fixed.at[i].end,
                       &found);
    for (uint32_t i = 0; i < written.count; i++)
        intervals_find(&neighbours->written, written.at[i].key, written.at[i].first,
                       written.at[i].end, &found);
    items_sort(&found, 0);
    lint_spend(lint, found.count / 4 + 1);
    uint32_t *at = arena_room(lint->arena, found.count + 1, sizeof *at);
    if (found.count) memcpy(at, found.at, found.count * sizeof *at);
    struct op_list list = {at, found.count};
    vec_free(&found);
    vec_free(&fixed);
    vec_free(&written);
    return list;
}

static struct op_neighbours *neighbours_of(const struct lint *lint)
{
    struct handovers *all = lint->handovers;
    if (!all->neighbours) all->neighbours = sort_ops(lint);
    return all->neighbours;
}

uint32_t op_kind(const struct lint *lint, const struct tensor_op *op)
{
    return neighbours_of(lint)->kinds[op - lint->handovers->ops];
}

struct op_list op_neighbours(const struct lint *lint, const struct tensor_op *op)
{
    const struct op_neighbours *neighbours = neighbours_of(lint);
    struct op_list *list = &neighbours->lists[op_kind(lint, op)];
    if (!list->at) *list = find_neighbours_of(lint, neighbours, op);
    return *list;
}
