/* Finds the slot of a ring that a thread writes while its own bulk store may still read it. */
#ifndef PTXOPT_LINT_BULK_ROUNDS_H
#define PTXOPT_LINT_BULK_ROUNDS_H

#include "lint/lint.h"

/* Reports them as findings of code. The rounds of a thread are counted (interpret.h), so it
 * does not matter how the ring's counter wraps. */
void bulk_rounds_find(struct lint *lint, const struct lint_code *code);

#endif
