/* The part of published-incomplete that is about bulk stores and reductions. */
#ifndef PTXOPT_LINT_PUBLISHED_BULK_H
#define PTXOPT_LINT_PUBLISHED_BULK_H

#include "lint/lint.h"

/* Reports the flags in global memory that a thread sets after a bulk store of its own of which it
 * has only waited until the source was read. */
void published_bulk_report(struct lint *lint, const struct lint_code *code);

#endif
