/* Finds waits that return at once because they are for the parity of a phase that is complete. */
#ifndef PTXOPT_LINT_WAIT_PARITY_H
#define PTXOPT_LINT_WAIT_PARITY_H

#include "lint/lint.h"

/* Reports such waits as findings of code. Call barriers_build and handovers_find first. */
void wait_parity_find(struct lint *lint, const struct lint_code *code);

#endif
