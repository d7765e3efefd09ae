/* Finds waits for an mbarrier that never end: each thread that arrives at it first waits, directly
 * or through other threads, for a thread that is stopped by this wait. */
#ifndef PTXOPT_LINT_WAIT_CYCLE_H
#define PTXOPT_LINT_WAIT_CYCLE_H

#include "lint/lint.h"

/* Reports one such wait as a finding of code. first_phase: by use of an mbarrier, it is a wait
 * whose threads wait for the first phase of the mbarrier the first time. */
void wait_cycle_report(struct lint *lint, const struct lint_code *code, const bool *first_phase);

#endif
