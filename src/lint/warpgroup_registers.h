/* The part of divergent-aligned that is about setmaxnreg. */
#ifndef PTXOPT_LINT_WARPGROUP_REGISTERS_H
#define PTXOPT_LINT_WARPGROUP_REGISTERS_H

#include "lint/lint.h"

/* Reports the setmaxnreg that some warps of a warpgroup execute while others of it execute one with
 * another number of registers. */
void warpgroup_registers_report(struct lint *lint, const struct lint_code *code);

#endif
