/* Pairs of asynchronous instructions of one thread that form a tcgen05 pipeline, and so execute in
 * the order they were issued in (ISA 9.7.16.6.2) */
#ifndef PTXOPT_ORDER_PAIR_H
#define PTXOPT_ORDER_PAIR_H

#include "base/buf.h"
#include "order/analysis.h"

/* The n-th operand of an instruction, from 0; NULL after the last. */
const struct operand *pair_operand(const struct analysis *analysis, uint32_t instr, uint32_t n);

/* Equal but for blanks, and every name in it the same register; NULL equals nothing. */
bool pair_same_operand(const struct analysis *analysis, const struct operand *a,
                       const struct operand *b);

/* Whether first -> second is a pair by every ISA version from 8.6 on (with isa-9.4-pairs, also by
 * 9.4). It rests on the registers of pair_rests_on, which must not change between the two. The
 * assumptions used are added to *assumptions. */
bool pair_is_pipelined(const struct analysis *analysis, uint32_t first, uint32_t second,
                       uint32_t *assumptions);

/* Writes a key of how an asynchronous instruction pairs: two with equal keys pair with the
 * same. */
void pair_key(const struct analysis *analysis, uint32_t instr, struct buf *key);

/* Whether a pair with instr rests on its n-th operand. */
bool pair_rests_on(const struct analysis *analysis, uint32_t instr, uint32_t n);

#endif
