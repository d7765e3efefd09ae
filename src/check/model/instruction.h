/* What does this instruction do? */
#ifndef PTXOPT_CHECK_MODEL_INSTRUCTION_H
#define PTXOPT_CHECK_MODEL_INSTRUCTION_H

#include "check/model/program.h"

/* Adds it to the program. leads: a label stands in front. deleted: it is not in AFTER. */
void instruction_add(struct program *program, const struct statement *statement, bool leads,
                     bool deleted);

#endif
