/* Finds the tcgen05 operations that may access the same columns as a given one. */
#ifndef PTXOPT_LINT_OP_NEIGHBOURS_H
#define PTXOPT_LINT_OP_NEIGHBOURS_H

#include "base/intervals.h"
#include "lint/handover.h"

/* Indices in handovers->ops, ascending. */
struct op_list {
    const uint32_t *at;
    uint32_t count;
};

/* A copy of the items in lint->arena; its `at` is not NULL, even if there are none. */
struct op_list op_list_keep(const struct lint *lint, const struct item_list *items);

/* Every operation for which handover_conflict with the operation is true, and every one whose
 * first address has the same base and constant columns that overlap; also others, but none if
 * neither of the two writes. In lint->arena; found once for all operations on the same columns. */
struct op_list op_neighbours(const struct lint *lint, const struct tensor_op *op);

/* The same for an operation that is not in handovers->ops, found anew. */
struct op_list op_neighbours_find(const struct lint *lint, const struct tensor_op *op);

/* As op_neighbours, but of an mma, cp or shift without those that are mma, cp or shift and read no
 * tensor memory: each two of these are executed in the order of issue. */
struct op_list op_neighbours_unpiped(const struct lint *lint, const struct tensor_op *op);

/* Operations with the same number conflict with the same operations (handover_conflict). Numbers
 * are below handovers->op_count. */
uint32_t op_kind(const struct lint *lint, const struct tensor_op *op);

/* The index in handovers->ops of the next operation with the same number; op_count: none. */
uint32_t op_next_of_kind(const struct lint *lint, uint32_t op);

#endif
