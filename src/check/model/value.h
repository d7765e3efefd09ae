/* Finds the tensor-memory loads whose values only stores need. Such a store waits for the load by
 * the register dependency of ISA 9.7.16.6.4.5. If ptxas drops the store, or computes its value
 * without the load, nothing needs the load, unless the value is loaded from memory again. This
 * happens while a body is read with all reads. */
#ifndef PTXOPT_CHECK_MODEL_VALUE_H
#define PTXOPT_CHECK_MODEL_VALUE_H

#include "check/model/operand.h"

/* Follows one more statement of the body. operands: all that it reads and writes. number: its
 * number if it is an instruction, otherwise that of the instruction before it. words: of its opcode
 * (enum check_effect_word). */
void value_follow(struct program *program, const struct program_instruction *made, uint32_t number,
                  unsigned words, const struct operands *operands);

/* Follows a statement of this kind that has no guard, writes these registers, reads the registers
 * named in the text `reads`, which has neither comments nor strings, and does nothing else to
 * registers. Returns false if it cannot be read. */
bool value_follow_usual(struct program *program, struct span reads,
                        const struct check_effect_class *kind, const uint32_t *results,
                        uint32_t count);

/* Ends the straight-line code, at a label or after a branch. Users of `stored` work block by block,
 * so a later store would not count. */
void value_part(struct program *program);

/* After the last statement: sets program->instructions.at[load].stored of each such load, to the
 * number of its last store. */
void value_settle(struct program *program);

#endif
