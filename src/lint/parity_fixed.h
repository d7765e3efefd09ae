/* Finds waits of a loop whose parity never changes. */
#ifndef PTXOPT_LINT_PARITY_FIXED_H
#define PTXOPT_LINT_PARITY_FIXED_H

#include "lint/lint.h"

/* Reports each wait, as a finding of code, that a loop executes again for the same mbarrier with
 * the same parity, if another loop begins a phase of it in each round. Not reported: a wait for
 * which the code has reported something. Call handovers_find first. */
void parity_fixed_find(struct lint *lint, const struct lint_code *code);

#endif
