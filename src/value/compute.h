/* Gives the result of an instruction that only computes as an expression of its arguments. */
#ifndef PTXOPT_VALUE_COMPUTE_H
#define PTXOPT_VALUE_COMPUTE_H

#include "value/expr.h"
#include "value/instruction.h"

/* Reads what the opcode computes. NULL: the instruction has no text. */
const struct arithmetic *compute_read_text(struct spelled *spelled);

/* What the opcode computes. It is read once for each spelling. */
static inline const struct arithmetic *compute_read(const struct subject *subject, uint32_t instr)
{
    struct spelled *spelled = instruction_spelled(subject, instr);
    bool known = spelled && spelled->arithmetic.operation != OPERATION_NOT_READ;
    return known ? &spelled->arithmetic : compute_read_text(spelled);
}

/* The result for count argument values, in the order of the operands after the first; none of them
 * may be VALUE_NONE. An operation that is not understood gives an expression by its spelling;
 * VALUE_NONE if there is no expression. */
struct value compute_instruction(struct exprs *exprs, const struct subject *subject, uint32_t instr,
                                 const struct value *a, uint32_t count);

/* As compute_instruction; how: what compute_read returns for the instruction. */
struct value compute_by(struct exprs *exprs, const struct subject *subject, uint32_t instr,
                        const struct arithmetic *how, const struct value *a, uint32_t count);

#endif
