/* Finds the tensor-memory loads whose value a store needs: the store waits for the load by the
 * register dependency of ISA 9.7.16.6.4.5. Found while a body is read. */
#ifndef PTXOPT_CHECK_MODEL_VALUE_H
#define PTXOPT_CHECK_MODEL_VALUE_H

#include "check/model/operand.h"

/* One more statement of a body: made and its operands as read, which has all that it writes.
 * number: its own if it is an instruction, else that of the instruction in front of it. stores: it
 * writes memory that others may read. Sets program->instructions.at[load].stored of the loads whose
 * value it stores. */
void value_follow(struct program *program, const struct program_instruction *made, uint32_t number,
                  bool stores, const struct operands *operands);

/* One that writes the register result, reads what is named from pos on up to its `;`, and does
 * nothing else. False, and nothing is done, when that cannot be read. */
bool value_follow_usual(struct program *program, uint32_t pos, uint32_t result);

/* Straight-line code ends here, at a label or a branch. Callers work block by block, so a store
 * after it would not count. */
void value_forget(struct program *program);

#endif
