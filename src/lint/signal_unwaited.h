/* Finds data that are used although no thread waits for the mbarrier that tells that they are
 * complete. */
#ifndef PTXOPT_LINT_SIGNAL_UNWAITED_H
#define PTXOPT_LINT_SIGNAL_UNWAITED_H

#include "lint/lint.h"

/* Reports, as findings of code, loads of the result of an mma, cp or shift, and accesses to what a
 * copy or another thread has written. Call handovers_find first. */
void signal_unwaited_report(struct lint *lint, const struct lint_code *code);

#endif
