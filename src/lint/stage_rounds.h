/* Finds stages that a thread refills while its own mma or cp may still read them. */
#ifndef PTXOPT_LINT_STAGE_ROUNDS_H
#define PTXOPT_LINT_STAGE_ROUNDS_H

#include "lint/lint.h"

/* Reports the copies that refill such stages as findings of code. The function simulates the
 * iterations of a thread (interpret.h). Call handovers_find first. */
void stage_rounds_find(struct lint *lint, const struct lint_code *code);

#endif
