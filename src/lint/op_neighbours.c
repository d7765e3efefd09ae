/* Sorts the operations by their columns. See op_neighbours.h. */
#include "lint/op_neighbours.h"

#include "base/intern.h"
#include "base/intervals.h"
#include "base/mem.h"

struct op_neighbours {
    /* The first operation of each kind: by the columns from a fixed base, and by those from the
     * address as it is written, if they differ. */
    struct intervals fixed, written;
    uint32_t *next;                  /* by operation: the next of its kind; count: none */
    uint32_t *kinds;                 /* by operation; those of one kind have the same neighbours */
    struct op_list *lists, *unpiped; /* by kind; at NULL: not asked yet */
};

/* What decides which operations conflict with an operation. Keys of intern: no padding. */
struct columns {
    int64_t first, written;
    uint32_t base, written_base, count, access; /* access: twice, and whether of all lanes */
};

static struct columns neighbours_columns_of(const struct tmem_range *range)
{
    return (struct columns){range->first,     range->address.offset,
                            range->base.base, range->address.base,
                            range->count,     range->access * 2u + range->all_lanes};
}

static void neighbours_add_columns(const struct tensor_op *op, uint32_t item,
                                   struct interval_list *fixed, struct interval_list *written)
{
    for (uint32_t i = 0; i < op->range_count; i++) {
        const struct tmem_range *range = &op->ranges[i];
        int64_t count = range->count ? range->count : 1;
        vec_push(fixed, ((struct interval){range->base.base, item, range->first,
                                           plus_wrapped(range->first, count)}));
        bool same =
            range->address.base == range->base.base && range->address.offset == range->first;
        if (!i && !same)
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
        for (uint32_t k = 0; k < op->range_count; k++)
            keys[i][k] = neighbours_columns_of(&op->ranges[k]);
        kept->kinds[i] =
            intern_add(&kinds, op->range_count,
                       (struct str){(const char *)keys[i], op->range_count * sizeof keys[i][0]});
    }
    uint32_t *first = mem_alloc((all->op_count + 1) * sizeof *first);
    kept->next = arena_room(lint->arena, all->op_count, sizeof *kept->next);
    intern_list(&kinds, kept->kinds, all->op_count, first, kept->next);
    for (uint32_t i = 0; i < all->op_count; i++)
        if (first[i] == i) neighbours_add_columns(&all->ops[i], i, &fixed, &written);
    mem_free(first);
    kept->lists = arena_alloc(lint->arena, kinds.count, sizeof *kept->lists);
    kept->unpiped = arena_alloc(lint->arena, kinds.count, sizeof *kept->unpiped);
    kept->fixed = intervals_sort(lint->arena, &fixed);
    kept->written = intervals_sort(lint->arena, &written);
    intern_free(&kinds);
    mem_free(keys);
    vec_free(&fixed);
    vec_free(&written);
    return kept;
}

struct op_list op_list_keep(const struct lint *lint, const struct item_list *items)
{
    uint32_t *at = arena_room(lint->arena, items->count + 1, sizeof *at);
    if (items->count) memcpy(at, items->at, items->count * sizeof *at);
    return (struct op_list){at, items->count};
}

static void find_columns(const struct op_neighbours *neighbours, const struct interval *columns,
                         struct item_list *found)
{
    intervals_find(&neighbours->fixed, columns->key, columns->first, columns->end, found);
    intervals_find(&neighbours->written, columns->key, columns->first, columns->end, found);
}

static struct op_list find_neighbours_of(const struct lint *lint,
                                         const struct op_neighbours *neighbours,
                                         const struct tensor_op *op)
{
    const struct handovers *all = lint->handovers;
    struct item_list kinds = {0}, found = {0};
    struct interval_list fixed = {0}, written = {0};
    neighbours_add_columns(op, 0, &fixed, &written);
    for (uint32_t i = 0; i < fixed.count; i++) find_columns(neighbours, &fixed.at[i], &kinds);
    for (uint32_t i = 0; i < written.count; i++) find_columns(neighbours, &written.at[i], &kinds);
    items_sort(&kinds, 0);
    for (uint32_t k = 0; k < kinds.count; k++) {
        if (!op->writes && !all->ops[kinds.at[k]].writes) continue;
        for (uint32_t i = kinds.at[k]; i < all->op_count; i = neighbours->next[i])
            vec_push(&found, i);
    }
    lint_spend(lint, found.count / 4 + 1);
    items_sort(&found, 0);
    struct op_list list = op_list_keep(lint, &found);
    vec_free(&kinds);
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

uint32_t op_next_of_kind(const struct lint *lint, uint32_t op)
{
    return neighbours_of(lint)->next[op];
}

struct op_list op_neighbours(const struct lint *lint, const struct tensor_op *op)
{
    const struct op_neighbours *neighbours = neighbours_of(lint);
    struct op_list *list = &neighbours->lists[op_kind(lint, op)];
    if (!list->at) *list = find_neighbours_of(lint, neighbours, op);
    return *list;
}

struct op_list op_neighbours_find(const struct lint *lint, const struct tensor_op *op)
{
    return find_neighbours_of(lint, neighbours_of(lint), op);
}

static bool reads_columns(const struct tensor_op *op)
{
    for (uint32_t k = 0; k < op->range_count; k++)
        if (op->ranges[k].access == TMEM_READS) return true;
    return false;
}

struct op_list op_neighbours_unpiped(const struct lint *lint, const struct tensor_op *op)
{
    const struct op_neighbours *neighbours = neighbours_of(lint);
    const struct tensor_op *ops = lint->handovers->ops;
    struct op_list all = op_neighbours(lint, op);
    if (!effect_is_pipe(lint_effect(lint, op->instr))) return all;
    struct op_list *list = &neighbours->unpiped[op_kind(lint, op)];
    if (list->at) return *list;
    struct item_list found = {0};
    lint_spend(lint, all.count / 8 + 1);
    for (uint32_t i = 0; i < all.count; i++)
        if (!effect_is_pipe(lint_effect(lint, ops[all.at[i]].instr)) ||
            reads_columns(&ops[all.at[i]]))
            vec_push(&found, all.at[i]);
    *list = op_list_keep(lint, &found);
    vec_free(&found);
    return *list;
}
