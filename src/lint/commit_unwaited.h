/* Finds commits to an mbarrier that no thread waits for. */
#ifndef PTXOPT_LINT_COMMIT_UNWAITED_H
#define PTXOPT_LINT_COMMIT_UNWAITED_H

#include "lint/lint.h"

/* Reports them as findings of code, if the committing thread comes to a load of the result. After
 * handovers_find. */
void commit_unwaited_report(struct lint *lint, const struct lint_code *code);

#endif
