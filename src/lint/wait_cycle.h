/* Finds waits for an mbarrier that end for no thread: whoever arrives there waits first, directly
 * or through others, for a thread that this wait stops. */
#ifndef PTXOPT_LINT_WAIT_CYCLE_H
#define PTXOPT_LINT_WAIT_CYCLE_H

#include "lint/lint.h"

/* Reports one of them as a finding of code. first_phase: by use of an mbarrier, it is a wait, and
 * threads come to it first for the first phase of the mbarrier. */
void wait_cycle_report(struct lint *lint, const struct lint_code *code, const bool *first_phase);

#endif
