/* Finds columns that a thread overwrites in each round although no signal of the round before shows
 * that the mma of another thread has read them. */
#ifndef PTXOPT_LINT_COLUMN_ROUNDS_H
#define PTXOPT_LINT_COLUMN_ROUNDS_H

#include "lint/lint.h"

/* Reports the overwriting operations as findings of code. The function simulates one thread of each
 * warp (interpret.h), if the writing thread waits only for third threads. Call barriers_build and
 * handovers_find first. */
void column_rounds_report(struct lint *lint, const struct lint_code *code);

#endif
