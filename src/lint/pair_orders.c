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
    uint64_t *in_warp; /* a bit set by index in handovers->at: those of CHANNEL_WARP */
};

struct pair_list VEC(struct ordered_pair);

static int compare_pairs(const void *a, const void *b)
{
    const struct ordered_pair *x = a, *y = b;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

/* Most lists are sorted, except for a few pairs. */
static void sort_pairs(struct ordered_pair *at, uint32_t count)
{
    uint32_t moves = 4 * count;
    for (uint32_t i = 1; i < count; i++) {
        const struct ordered_pair pair = at[i];
        uint32_t to = i;
        for (; to && compare_pairs(&at[to - 1], &pair) > 0; to--) {
            if (!moves--) {
                at[to] = pair;
                qsort(at, count, sizeof *at, compare_pairs);
                return;
            }
            at[to] = at[to - 1];
        }
        at[to] = pair;
    }
}

/* Copies the list into lint->arena, sorted, and empties it. */
static struct ordered_pairs keep_pairs(const struct lint *lint, struct pair_list *list)
{
    uint32_t count = list->count;
    struct ordered_pair *kept = arena_alloc(lint->arena, count + 1, sizeof *kept);
    if (count) memcpy(kept, list->at, count * sizeof *kept);
    sort_pairs(kept, count);
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
    orders->in_warp = arena_alloc(lint->arena, all->count / 64 + 1, sizeof *orders->in_warp);
    for (uint32_t i = 0; i < all->count; i++)
        orders->in_warp[i / 64] |= (uint64_t)(all->at[i].channel == CHANNEL_WARP) << (i % 64);
    group_ops(lint, orders);
    return all->orders = orders;
}

/* Answers about one operation and the others. */
struct pairing {
    const struct tensor_op *op;
    uint32_t set; /* the conditions of the other operation that was compared last; NO_SET: none */
    bool apart;   /* these are in a different thread */
};

#define NO_SET UINT32_MAX

/* The other operation is in a different thread. Operations in a row mostly have the same
 * conditions, which decide it, so the last answer is kept. */
static bool is_in_other_thread(const struct lint *lint, struct pairing *pairing, uint32_t other)
{
    uint32_t set = condition_pairs_number(lint->subject, other), own = pairing->op->instr;
    if (set == pairing->set) return pairing->apart;
    pairing->set = set;
    return pairing->apart =
               handover_other_thread(lint, own, other) || handover_other_thread(lint, other, own);
}

/* The two operations conflict and are in different threads. */
static bool are_pair(const struct lint *lint, struct pairing *pairing, const struct tensor_op *b,
                     bool likely)
{
    const struct tensor_op *a = pairing->op;
    if (!a->writes && !b->writes) return false;
    if (!is_in_other_thread(lint, pairing, b->instr)) return false;
    return likely ? handover_likely_conflict(lint, a, b) : handover_conflict(lint, a, b);
}

/* The operations with which the operation, and each of its group, forms a pair. Of each group the
 * first one is compared; op_neighbours has all of a group, or none. */
static struct op_list partners_of(const struct lint *lint, uint32_t op, bool likely)
{
    const struct handovers *all = lint->handovers;
    const struct pair_orders *orders = orders_of(lint);
    struct op_list *partners = &orders->partners[likely][orders->group[op]];
    struct pairing pairing = {&all->ops[op], NO_SET, false};
    struct item_list found = {0};
    if (partners->at) return *partners;
    struct op_list near = op_neighbours(lint, &all->ops[op]);
    uint32_t count = likely ? all->op_count : near.count;
    lint_spend(lint, count / 4 + 1);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = likely ? k : near.at[k], group = orders->group[i];
        orders->paired[i] =
            group == i ? are_pair(lint, &pairing, &all->ops[i], likely) : orders->paired[group];
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
    struct otherwise_last last = {0};
    struct pair_list found = {0};
    if (pairs->at) return *pairs;
    struct op_list partners = partners_of(lint, op, likely);
    for (uint32_t k = 0; k < partners.count; k++) {
        uint32_t i = partners.at[k];
        uint32_t order = otherwise_first_again(lint, &last, all->ops[op].instr, all->ops[i].instr);
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

/* ---- sets of orders ---- */

static bool has_order(const uint64_t *set, uint32_t order)
{
    return set[order / 64] >> (order % 64) & 1;
}

static void add_order(uint64_t *set, uint32_t order)
{
    set[order / 64] |= 1ULL << (order % 64);
}

struct order_set order_set_new(const struct lint *lint)
{
    const uint32_t words = lint->handovers->count / 64 + 1;
    return (struct order_set){.stops = arena_room(lint->arena, words, sizeof(uint64_t)),
                              .passes = arena_room(lint->arena, words, sizeof(uint64_t))};
}

void order_set_begin(const struct lint *lint, struct order_set *set, uint32_t until)
{
    const uint32_t count = lint->handovers->count, words = count / 64 + 1;
    lint_spend(lint, words / 8 + 1);
    memset(set->stops, 0, words * sizeof *set->stops);
    memset(set->passes, 0, words * sizeof *set->passes);
    add_order(set->stops, count);
    set->until = until;
}

/* The next handover that may be for the signal of `but` after the one before; UINT32_MAX: the first
 * one. `but` may be at another mbarrier than the handover of its instruction. */
static uint32_t next_for(const struct lint *lint, const struct handover *but, bool likely,
                         uint32_t before)
{
    const struct handovers *all = lint->handovers;
    const struct handover *own = handover_at(lint, but->instr);
    uint32_t of = (uint32_t)(own - all->at);
    if (own->use != but->use) return before + 1;
    if (likely && but->channel == CHANNEL_MBARRIER) return handover_next_likely(lint, of, before);
    return before == UINT32_MAX ? all->first_alike[of] : all->alike[before];
}

void order_set_add(const struct lint *lint, struct order_set *set, const struct handover *but,
                   bool likely)
{
    const struct handovers *all = lint->handovers;
    const bool commit = but->use && but->use->kind == BARRIER_COMMIT;
    lint_spend(lint, 1);
    for (uint32_t w = next_for(lint, but, likely, UINT32_MAX); w < all->count;
         w = next_for(lint, but, likely, w))
        if (!otherwise_counts(lint, but, &all->at[w], likely)) add_order(set->stops, w);
    if (handover_at(lint, but->instr) == but) add_order(set->stops, (uint32_t)(but - all->at));
    for (uint32_t k = 0; commit && k < all->count / 64 + 1; k++)
        set->stops[k] |= orders_of(lint)->in_warp[k];
}

bool order_set_stops(const struct lint *lint, struct order_set *set,
                     const struct ordered_pairs *pairs)
{
    for (uint32_t i = 0; i < pairs->count; i = pairs->at[i].next) {
        uint32_t order = pairs->at[i].order;
        lint_spend(lint, 1);
        if (has_order(set->stops, order)) return true;
        if (set->until == NO_INSTR || has_order(set->passes, order)) continue;
        bool passes = otherwise_until(lint, &lint->handovers->at[order], set->until);
        add_order(passes ? set->passes : set->stops, order);
        if (!passes) return true;
    }
    return false;
}

bool order_set_may_stop_behind(const struct lint *lint, struct order_set *set, uint32_t op,
                               bool likely)
{
    const struct ordered_pairs *pairs = &orders_of(lint)->behind[likely][op];
    return !pairs->at || order_set_stops(lint, set, pairs);
}
