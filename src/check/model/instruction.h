/* Reads one instruction into a program. */
#ifndef PTXOPT_CHECK_MODEL_INSTRUCTION_H
#define PTXOPT_CHECK_MODEL_INSTRUCTION_H

#include "check/model/operand.h"

/* Adds an instruction to the program. leads: a label is before it. met: the spelling of its opcode
 * by opcode_met or opcode_learn, or NULL. */
void instruction_add(struct program *program, const struct statement *statement, bool leads,
                     const struct opcode_spelling *met);

#endif
