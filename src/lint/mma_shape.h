/* The shapes of mma, which decide whether two of them are a pipelined pair. */
#ifndef PTXOPT_LINT_MMA_SHAPE_H
#define PTXOPT_LINT_MMA_SHAPE_H

#include "lint/handover.h"

/* The bits of M and N in the instruction descriptor, in the layout for kinds without scales; -1:
 * not known, or no mma. */
int64_t mma_shape(const struct lint *lint, uint32_t instr);

/* Both mma write the same columns, with different shapes (mma_shape) or as parts of different
 * accumulators. Only mma with the same shape and accumulator are a pipelined pair (ISA 9.7.16.6.2).
 * False if a shape is -1. */
bool mma_shape_differs(const struct lint *lint, const struct tensor_op *a, int64_t shape_of_a,
                       const struct tensor_op *b, int64_t shape_of_b);

#endif
