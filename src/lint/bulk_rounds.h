/* Finds the slot of a ring that a thread writes while its own bulk store may still read it. */
#ifndef PTXOPT_LINT_BULK_ROUNDS_H
#define PTXOPT_LINT_BULK_ROUNDS_H

#include "lint/lint.h"

/* Reports each such write as a finding of code. The iterations of a thread are simulated
 * (interpret.h), so it does not matter how the counter of the ring wraps. */
void bulk_rounds_find(struct lint *lint, const struct lint_code *code);

#endif
