/* The part of completion-untracked that searches paths on which a thread ends after an mma without
 * a commit. */
#ifndef PTXOPT_LINT_COMPLETION_TAIL_H
#define PTXOPT_LINT_COMPLETION_TAIL_H

#include "lint/handover.h"
#include "lint/renewals.h"

/* Reports the mma as a finding of code if other threads load its accumulator, and a path leads from
 * it to the end of the kernel on which its thread neither commits to an mbarrier that the loading
 * threads wait for nor waits for a commit that tracks it. Calls renewals_begin. */
void completion_tail_report(struct lint *lint, const struct lint_code *code,
                            const struct tensor_op *mma, struct renewals *renewals);

#endif
