/* The code released-for-others: flags and counters in global memory. */
#ifndef PTXOPT_LINT_RELEASED_FLAG_H
#define PTXOPT_LINT_RELEASED_FLAG_H

#include "lint/lint.h"

/* Reports, as findings of code, flags in global memory that one warp sets for the whole CTA, if
 * other warps may still store what the threads read that wait for the flag. */
void released_flag_find(struct lint *lint, const struct lint_code *code);

#endif
