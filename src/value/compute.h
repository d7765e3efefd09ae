/* Gives the result of an instruction that only computes, as an expression of its arguments. */
#ifndef PTXOPT_VALUE_COMPUTE_H
#define PTXOPT_VALUE_COMPUTE_H

#include "value/expr.h"
#include "value/subject.h"

/* What the opcode says that is computed; read once for each spelling. */
const struct arithmetic *compute_read(const struct subject *subject, uint32_t instr);

/* Of count values, in the order of the operands after the first; none of them is VALUE_NONE. What
 * is not understood is an expression by its spelling; VALUE_NONE for what has none. */
struct value compute_instruction(struct exprs *exprs, const struct subject *subject, uint32_t instr,
                                 const struct value *a, uint32_t count);

#endif
