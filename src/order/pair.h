/* Finds pairs of asynchronous instructions of one thread that form a tcgen05 pipeline, and so
 * execute in the order in which they were issued (ISA 9.7.16.6.2). */
#ifndef PTXOPT_ORDER_PAIR_H
#define PTXOPT_ORDER_PAIR_H

#include "base/buf.h"
#include "order/analysis.h"

/* The n-th operand of an instruction, from 0; NULL after the last. */
const struct operand *pair_operand(const struct analysis *analysis, uint32_t instr, uint32_t n);

/* The texts are equal except for blanks, and each name is the same register in both. False if one
 * is NULL. */
bool pair_same_operand(const struct analysis *analysis, const struct operand *a,
                       const struct operand *b);

/* `first`, then `second` is a pipelined pair by every ISA version from 8.6 on (with isa-9.4-pairs,
 * also by 9.4). That holds only if the registers of the operands with pair_rests_on do not change
 * between the two. Adds the assumptions that are used to *assumptions. */
bool pair_is_pipelined(const struct analysis *analysis, uint32_t first, uint32_t second,
                       uint32_t *assumptions);

/* Appends a key to *key: instructions with equal keys form pairs with the same instructions. */
void pair_key(const struct analysis *analysis, uint32_t instr, struct buf *key);

/* A pair with instr depends on its operand number n, from 0. */
bool pair_rests_on(const struct analysis *analysis, uint32_t instr, uint32_t n);

#endif
