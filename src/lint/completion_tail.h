/* The part of completion-untracked that searches paths: a thread ends with an mma that no
 * commit of that thread follows. */
#ifndef PTXOPT_LINT_COMPLETION_TAIL_H
#define PTXOPT_LINT_COMPLETION_TAIL_H

#include "lint/handover.h"

/* Reports the mma of which other threads load the accumulator, when a path leads from it to the end
 * of the kernel, and its thread commits nothing there that the loading threads wait for. */
void completion_tail_report(struct lint *lint, const struct lint_code *code,
                            const struct tensor_op *mma);

#endif
