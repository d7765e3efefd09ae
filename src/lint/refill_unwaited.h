/* Finds data that are overwritten although no thread waits for the mbarrier at which their readers
 * arrive. */
#ifndef PTXOPT_LINT_REFILL_UNWAITED_H
#define PTXOPT_LINT_REFILL_UNWAITED_H

#include "lint/lint.h"

/* Reports, as findings of code, copies and stores of a loop to shared memory that was read before
 * such a signal, and operations of a loop on columns that were loaded before it. Call
 * handovers_find first. */
void refill_unwaited_report(struct lint *lint, const struct lint_code *code);

#endif
