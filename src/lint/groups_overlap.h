/* Finds stores of one group of warps into columns that another group loads. */
#ifndef PTXOPT_LINT_GROUPS_OVERLAP_H
#define PTXOPT_LINT_GROUPS_OVERLAP_H

#include "lint/lint.h"

/* Reports a store that warps execute behind a load with no wait and no barrier in between, if the
 * number of the warp decides about the columns of one of them, and some warp stores where another
 * one with the same lanes loads. */
void groups_overlap_report(struct lint *lint, const struct lint_code *code);

#endif
