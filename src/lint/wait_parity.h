/* Finds waits that return at once because their parity is that of a phase that is over. */
#ifndef PTXOPT_LINT_WAIT_PARITY_H
#define PTXOPT_LINT_WAIT_PARITY_H

#include "lint/lint.h"

/* Reports such waits as findings of code. To be called after barriers_build and handovers_find. */
void wait_parity_find(struct lint *lint, const struct lint_code *code);

#endif
