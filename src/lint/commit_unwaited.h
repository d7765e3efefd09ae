/* Finds commits to an mbarrier that no thread waits for. */
#ifndef PTXOPT_LINT_COMMIT_UNWAITED_H
#define PTXOPT_LINT_COMMIT_UNWAITED_H

#include "lint/lint.h"

/* Reports each such commit as a finding of code, if the committing thread can reach a load of the
 * result. Call handovers_find first. */
void commit_unwaited_report(struct lint *lint, const struct lint_code *code);

#endif
