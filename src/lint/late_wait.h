/* Finds waits for the readers of a stage of tensor memory that come after an operation that already
 * overwrites the stage. */
#ifndef PTXOPT_LINT_LATE_WAIT_H
#define PTXOPT_LINT_LATE_WAIT_H

#include "lint/lint.h"

/* Reports such operations as findings of code. Call barriers_build and handovers_find first. */
void late_wait_report(struct lint *lint, const struct lint_code *code);

#endif
