/* Finds waits for an mbarrier that never end: each thread that arrives at it must first pass a wait
 * that, directly or through other threads, needs a thread that is stopped by this wait. */
#ifndef PTXOPT_LINT_WAIT_CYCLE_H
#define PTXOPT_LINT_WAIT_CYCLE_H

#include "lint/lint.h"

/* Reports at most one such wait as a finding of code. first_phase, by use of an mbarrier: the use
 * is a wait that, when a thread executes it the first time, is for the first phase of the mbarrier.
 */
void wait_cycle_report(struct lint *lint, const struct lint_code *code, const bool *first_phase);

#endif
