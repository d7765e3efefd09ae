/* Finds accumulators of a ring that overlap: an mma writes more columns than lie between two
 * slots. */
#ifndef PTXOPT_LINT_SLOTS_OVERLAP_H
#define PTXOPT_LINT_SLOTS_OVERLAP_H

#include "lint/lint.h"

/* Reports as a finding of code the first load of another thread from such a ring. The slots must
 * have their own mbarriers: the mma of one slot does not wait for loads from another one. */
void slots_overlap_report(struct lint *lint, const struct lint_code *code);

#endif
