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

#endif
