/* Finds arrives and flags that tell of an mma, cp or shift as if it were complete. */
#ifndef PTXOPT_LINT_ARRIVE_FOR_COMMIT_H
#define PTXOPT_LINT_ARRIVE_FOR_COMMIT_H

#include "lint/lint.h"

/* Reports each arrive, as a finding of code, after which a thread uses what an mma, cp or shift
 * accesses that the arriving thread has issued and not waited for. columns: it loads or overwrites
 * columns of tensor memory; otherwise it overwrites shared memory that the operation reads, and a
 * store, red or atom to a flag counts as an arrive. Not reported: an arrive that the code has
 * reported before. Call handovers_find first. */
void arrive_for_commit_report(struct lint *lint, const struct lint_code *code, bool columns);

#endif
