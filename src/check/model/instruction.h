/* What does this instruction do? */
#ifndef PTXOPT_CHECK_MODEL_INSTRUCTION_H
#define PTXOPT_CHECK_MODEL_INSTRUCTION_H

#include "check/model/program.h"

/* Adds the instruction at pos when it is of the most usual kind: it writes one register of a range
 * that the function declares, does nothing else to it or to ordering, and stands in the middle of a
 * block. Its end then, else 0: then it is for statement_next and instruction_add. */
uint32_t instruction_add_usual(struct program *program, uint32_t pos);

/* Adds it to the program. leads: a label stands in front. */
void instruction_add(struct program *program, const struct statement *statement, bool leads);

#endif
