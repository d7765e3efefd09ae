/* Finds waits that return at once since they name the parity of a phase that is over. */
#ifndef PTXOPT_LINT_WAIT_PARITY_H
#define PTXOPT_LINT_WAIT_PARITY_H

#include "lint/lint.h"

/* Reports them as findings of code. After barriers_build and what handover.h needs. */
void wait_parity_find(struct lint *lint, const struct lint_code *code);

#endif
