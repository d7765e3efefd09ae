/* Finds columns that a thread overwrites after it has let an mma of another thread run that reads
 * them. */
#ifndef PTXOPT_LINT_LATE_OPERAND_H
#define PTXOPT_LINT_LATE_OPERAND_H

#include "lint/lint.h"

/* Reports the overwriting operations as findings of code. Call barriers_build and handovers_find
 * first. */
void late_operand_report(struct lint *lint, const struct lint_code *code);

#endif
