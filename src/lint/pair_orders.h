/* Lists the pairs of conflicting operations of tensor memory in different threads, each with the
 * first wait that may order the two. A ring of n stages has n² such pairs, and each may be asked
 * about for each of n signals; but nearly always the same wait orders all pairs of an operation. */
#ifndef PTXOPT_LINT_PAIR_ORDERS_H
#define PTXOPT_LINT_PAIR_ORDERS_H

#include "lint/op_neighbours.h"

struct ordered_pair {
    uint32_t op;    /* index in handovers->ops of the other operation */
    uint32_t order; /* what otherwise_first returns for the two */
    uint32_t next;  /* index in the list of the next pair with another order */
};

/* Sorted by order. */
struct ordered_pairs {
    const struct ordered_pair *at;
    uint32_t count;
};

/* The operations that are the first of some pair. */
struct op_list pair_orders_firsts(const struct lint *lint, bool likely);

/* The pairs in which operation number `op` is the first, or the second, of the two. likely: pairs
 * for which handover_likely_conflict is true, otherwise handover_conflict. */
struct ordered_pairs pair_orders_behind(const struct lint *lint, uint32_t op, bool likely);
struct ordered_pairs pair_orders_before(const struct lint *lint, uint32_t op, bool likely);

/* Returns the index in the list, from `from` on, of the next pair whose first wait does not order
 * it, because it is for the signal of `but` or does not reach `until` (NO_INSTR: it need not);
 * count: there is none. */
uint32_t pair_orders_next(const struct lint *lint, const struct ordered_pairs *pairs, uint32_t from,
                          const struct handover *but, uint32_t until, bool likely);

/* The orders at which pair_orders_next stops for some signals, as bits by index in handovers->at
 * and, at handovers->count, of pairs that have none. */
struct order_set {
    uint64_t *stops, *passes; /* passes: those that are known to reach `until` */
    uint32_t until;           /* see pair_orders_next */
};

/* new: a set in lint->arena. begin: makes it that of no signal. add: adds the signal of `but`. */
struct order_set order_set_new(const struct lint *lint);
void order_set_begin(const struct lint *lint, struct order_set *set, uint32_t until);
void order_set_add(const struct lint *lint, struct order_set *set, const struct handover *but,
                   bool likely);

/* pair_orders_next stops in the list for some signal of the set. */
bool order_set_stops(const struct lint *lint, struct order_set *set,
                     const struct ordered_pairs *pairs);

/* As order_set_stops for pair_orders_behind of the operation; true if these pairs are not known
 * yet. */
bool order_set_may_stop_behind(const struct lint *lint, struct order_set *set, uint32_t op,
                               bool likely);

#endif
