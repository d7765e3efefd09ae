/* Finds launches in which no thread waits for the commit of an mma before its columns are
 * freed. */
#ifndef PTXOPT_LINT_DEALLOC_UNSEEN_H
#define PTXOPT_LINT_DEALLOC_UNSEEN_H

#include "lint/lint.h"

/* Reports the dealloc as a finding of code when the mma's thread may end, or come to a dealloc,
 * with no wait for what is committed after the mma, by tests with one result for all threads
 * of the CTA, and no thread comes to such a wait on that path. */
void dealloc_unseen_report(struct lint *lint, const struct lint_code *code, uint32_t dealloc,
                           uint32_t mma);

#endif
