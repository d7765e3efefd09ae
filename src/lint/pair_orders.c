/* Finds the conflicting pairs of operations, and the first wait that may order each pair. See
 * pair_orders.h. */
#include "lint/pair_orders.h"

#include <stdlib.h>

#include "base/intern.h"
#include "base/mem.h"
#include "base/vec.h"
#include "lint/op_neighbours.h"
#include "lint/otherwise.h"
#include "value/condition_pairs.h"

/* Operations of a group are on the same columns and have the same conditions, so they form pairs
 * with the same operations. Where there are two lists, they are by likely. */
struct pair_orders {
    uint32_t *group;                 /* by operation: the first one of its group */
    bool *paired;                    /* by operation: with the group that was asked about last */
    struct op_list *partners[2];     /* by group; at NULL: not asked yet */
    struct op_list firsts[2];        /* at NULL: not asked yet */
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

/* Sets group. */
static void group_ops(const struct lint *lint, struct pair_orders *orders)
{
    const struct handovers *all = lint->handovers;
    struct intern groups = {0};
    uint32_t *kinds = mem_alloc((all->op_count + 1) * sizeof *kinds);
    orders->group = arena_room(lint->arena, all->op_count, sizeof *orders->group);
    uint32_t *next = mem_alloc((all->op_count + 1) * sizeof *next);
    lint_spend(lint, all->op_count);
    for (uint32_t i = 0; i < all->op_count; i++) {
        uint32_t conditions = condition_pairs_number(lint->subject, all->ops[i].instr);
        kinds[i] = op_kind(lint, &all->ops[i]);
        orders->group[i] =
            intern_add(&groups, conditions, (struct str){(const char *)&kinds[i], sizeof kinds[i]});
    }
    intern_list(&groups, orders->group, all->op_count, orders->group, next);
    intern_free(&groups);
    mem_free(next);
    mem_free(kinds);
}

static struct pair_orders *orders_of(const struct lint *lint)
{
    struct handovers *all = lint->handovers;
    if (all->orders) return all->orders;
    struct pair_orders *orders = arena_alloc(lint->arena, 1, sizeof *orders);
    for (int i = 0; i < 2; i++) {
        orders->behind[i] = arena_alloc(lint->arena, all->op_count, sizeof *orders->behind[i]);
        orders->partners[i] = arena_alloc(lint->arena, all->op_count, sizeof *orders->partners[i]);
    }
    orders->paired = arena_room(lint->arena, all->op_count, sizeof *orders->paired);
    group_ops(lint, orders);
    return all->orders = orders;
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

/* The operations with which the operation, and each of its group, forms a pair. Of each group the
 * first one is compared; op_neighbours has all of a group, or none. */
static struct op_list partners_of(const struct lint *lint, uint32_t op, bool likely)
{
    const struct handovers *all = lint->handovers;
    const struct pair_orders *orders = orders_of(lint);
    struct op_list *partners = &orders->partners[likely][orders->group[op]];
    struct item_list found = {0};
    if (partners->at) return *partners;
    struct op_list near = op_neighbours(lint, &all->ops[op]);
    uint32_t count = likely ? all->op_count : near.count;
    lint_spend(lint, count / 4 + 1);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = likely ? k : near.at[k], group = orders->group[i];
        orders->paired[i] = group == i ? are_pair(lint, &all->ops[op], &all->ops[i], likely)
                                       : orders->paired[group];
        if (orders->paired[i]) vec_push(&found, i);
    }
    *partners = op_list_keep(lint, &found);
    vec_free(&found);
    return *partners;
}

struct op_list pair_orders_firsts(const struct lint *lint, bool likely)
{
    struct op_list *firsts = &orders_of(lint)->firsts[likely];
    struct item_list found = {0};
    if (firsts->at) return *firsts;
    for (uint32_t op = 0; op < lint->handovers->op_count; op++)
        if (partners_of(lint, op, likely).count) vec_push(&found, op);
    *firsts = op_list_keep(lint, &found);
    vec_free(&found);
    return *firsts;
}

struct ordered_pairs pair_orders_behind(const struct lint *lint, uint32_t op, bool likely)
{
    const struct handovers *all = lint->handovers;
    struct ordered_pairs *pairs = &orders_of(lint)->behind[likely][op];
    struct pair_list found = {0};
    if (pairs->at) return *pairs;
    struct op_list partners = partners_of(lint, op, likely);
    for (uint32_t k = 0; k < partners.count; k++) {
        uint32_t i = partners.at[k];
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
