/* Finds the conflicting pairs of operations, and the first wait that may order each pair. See
 * pair_orders.h. */
#include "lint/pair_orders.h"

#include <stdlib.h>

#include "base/vec.h"
#include "lint/op_neighbours.h"
#include "lint/otherwise.h"

/* By likely. */
struct pair_orders {
    struct ordered_pairs *behind[2]; /* by operation; at NULL: not asked yet */
    struct ordered_pairs *before[2]; /* by operation; NULL: not asked yet */
};

struct pair_list VEC(struct ordered_pair);

static int compare_pairs(const void *a, const void *b)
{
    const struct ordered_pair *x = a, *y = b;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

/* Copies the list into lint->arena, sorted, and empties it. */
static struct ordered_pairs keep_pairs(const struct lint *lint, struct pair_list *list)
{
    uint32_t count = list->count;
    struct ordered_pair *kept = arena_alloc(lint->arena, count + 1, sizeof *kept);
    if (count) memcpy(kept, list->at, count * sizeof *kept);
    if (count) qsort(kept, count, sizeof *kept, compare_pairs);
    for (uint32_t i = count; i-- > 0;)
        kept[i].next =
            i + 1 < count && kept[i + 1].order == kept[i].order ? kept[i + 1].next : i + 1;
    list->count = 0;
    return (struct ordered_pairs){kept, count};
}

static struct pair_orders *orders_of(const struct lint *lint)
{
    struct handovers *all = lint->handovers;
    if (all->orders) return all->orders;
    all->orders = arena_alloc(lint->arena, 1, sizeof *all->orders);
    for (int i = 0; i < 2; i++)
        all->orders->behind[i] =
            arena_alloc(lint->arena, all->op_count, sizeof *all->orders->behind[i]);
    return all->orders;
}

/* The two operations conflict and are in different threads. */
static bool are_pair(const struct lint *lint, const struct tensor_op *a, const struct tensor_op *b,
                     bool likely)
{
    if (!a->writes && !b->writes) return false;
    if (!(likely ? handover_likely_conflict(lint, a, b) : handover_conflict(lint, a, b)))
        return false;
    return handover_other_thread(lint, a->instr, b->instr) ||
           handover_other_thread(lint, b->instr, a->instr);
}

struct ordered_pairs pair_orders_behind(const struct lint *lint, uint32_t op, bool likely)
{
    const struct handovers *all = lint->handovers;
    struct ordered_pairs *pairs = &orders_of(lint)->behind[likely][op];
    struct pair_list found = {0};
    if (pairs->at) return *pairs;
    struct op_list near = op_neighbours(lint, &all->ops[op]);
    for (uint32_t k = 0; k < (likely ? all->op_count : near.count); k++) {
        uint32_t i = likely ? k : near.at[k];
        if (!are_pair(lint, &all->ops[op], &all->ops[i], likely)) continue;
        uint32_t order = otherwise_first(lint, all->ops[op].instr, all->ops[i].instr);
        vec_push(&found, ((struct ordered_pair){i, order, 0}));
    }
    *pairs = keep_pairs(lint, &found);
    vec_free(&found);
    return *pairs;
}

static struct ordered_pairs *pair_orders_find_before(const struct lint *lint, bool likely)
{
    const uint32_t count = lint->handovers->op_count;
    struct ordered_pairs *before = arena_alloc(lint->arena, count, sizeof *before);
    struct pair_list *lists = arena_alloc(lint->arena, count, sizeof *lists);
    for (uint32_t op = 0; op < count; op++) {
        struct ordered_pairs behind = pair_orders_behind(lint, op, likely);
        for (uint32_t i = 0; i < behind.count; i++)
            vec_push(&lists[behind.at[i].op], ((struct ordered_pair){op, behind.at[i].order, 0}));
    }
    for (uint32_t op = 0; op < count; op++) {
        before[op] = keep_pairs(lint, &lists[op]);
        vec_free(&lists[op]);
    }
    return before;
}

struct ordered_pairs pair_orders_before(const struct lint *lint, uint32_t op, bool likely)
{
    struct ordered_pairs **before = &orders_of(lint)->before[likely];
    if (!*before) *before = pair_orders_find_before(lint, likely);
    return (*before)[op];
}

uint32_t pair_orders_next(const struct lint *lint, const struct ordered_pairs *pairs, uint32_t from,
                          const struct handover *but, uint32_t until, bool likely)
{
    const struct handovers *all = lint->handovers;
    while (from < pairs->count && pairs->at[from].order < all->count) {
        const struct handover *order = &all->at[pairs->at[from].order];
        lint_spend(lint, 1);
        if (!otherwise_counts(lint, but, order, likely)) break;
        if (until != NO_INSTR && !otherwise_until(lint, order, until)) break;
        from = pairs->at[from].next;
    }
    return from;
}
