/* Finds the tensor-memory loads whose value a store needs: the store waits for the load by the
 * register dependency of ISA 9.7.16.6.4.5. This happens while a body is read. */
#ifndef PTXOPT_CHECK_MODEL_VALUE_H
#define PTXOPT_CHECK_MODEL_VALUE_H

#include "check/model/operand.h"

/* Follows one more statement of the body. operands: all that it writes must have been read. number:
 * its number if it is an instruction, otherwise that of the instruction before it. stores: it
 * writes memory that other threads may read. Sets program->instructions.at[load].stored of each
 * load whose value it stores. */
void value_follow(struct program *program, const struct program_instruction *made, uint32_t number,
                  bool stores, const struct operands *operands);

/* Follows a statement that writes these registers, reads the registers named from pos on up to its
 * `;`, and does nothing else. Returns false and changes nothing if it cannot be read. */
bool value_follow_usual(struct program *program, uint32_t pos, const uint32_t *results,
                        uint32_t count);

/* Forgets all loads, at a label or branch. Users of `stored` work block by block, so a later store
 * would not count. */
void value_forget(struct program *program);

#endif
