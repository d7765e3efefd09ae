/* Finds waits that show only that the readers of an earlier round have returned. */
#ifndef PTXOPT_LINT_ROUNDS_BEHIND_H
#define PTXOPT_LINT_ROUNDS_BEHIND_H

#include "lint/lint.h"

/* Reports an operation of one role that overwrites, in each round, what another role may still load
 * in the round before: all waits in front of the operation are for arrivals which that role gives
 * before the load. Both roles take one round for each signal. */
void rounds_behind_report(struct lint *lint, const struct lint_code *code);

#endif
