/* The part of bulk-source-reused about tensor maps that a kernel writes. */
#ifndef PTXOPT_LINT_TENSORMAP_REUSED_H
#define PTXOPT_LINT_TENSORMAP_REUSED_H

#include "lint/lint.h"

/* Reports, as findings of code, each tensor map that a thread overwrites while a tensor copy that
 * it issued may still read it. */
void tensormap_reused_find(struct lint *lint, const struct lint_code *code);

#endif
