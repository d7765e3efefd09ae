/* Finds the stage that a thread refills while its own mma may still read it. */
#ifndef PTXOPT_LINT_STAGE_ROUNDS_H
#define PTXOPT_LINT_STAGE_ROUNDS_H

#include "lint/lint.h"

/* Reports them as findings of code. The rounds of a thread are counted (interpret.h). After what
 * handover.h needs. */
void stage_rounds_find(struct lint *lint, const struct lint_code *code);

#endif
