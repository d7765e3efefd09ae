/* Which two asynchronous instructions of one thread form a tcgen05 pipeline, and so execute in
 * the order they were issued in? (ISA 9.7.16.6.2) */
#ifndef PTXOPT_ORDER_PAIR_H
#define PTXOPT_ORDER_PAIR_H

#include "base/vec.h"
#include "order/facts.h"

/* A register that must keep its value from first on for a pair to hold. */
struct pair_reg {
    uint32_t first; /* instruction */
    reg_id reg;
};

struct pair_regs VEC(struct pair_reg);

/* The n-th operand of an instruction, from 0; NULL behind the last. */
const struct operand *pair_operand(const struct facts *facts, uint32_t instr, uint32_t n);

/* Equal but for blanks, and every name in it the same register; NULL equals nothing. */
bool pair_same_operand(const struct facts *facts, const struct operand *a, const struct operand *b);

/* Is first -> second a pipelined pair by every ISA version from 8.6 on (with isa-9.4-pairs, also by
 * 9.4)? The registers that this rests on are added to regs: the caller shows that they do not
 * change between the two. The assumptions used are added to *assumptions. */
bool pair_is_pipelined(const struct facts *facts, uint32_t first, uint32_t second,
                       struct pair_regs *regs, uint32_t *assumptions);

/* Is none of regs written behind its first instruction and, where the candidate at site is a fence,
 * before the next fence? */
bool pair_regs_unchanged(const struct facts *facts, uint32_t site, const struct pair_regs *regs);

#endif
