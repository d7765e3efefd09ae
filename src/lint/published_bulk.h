/* The part of published-incomplete that is about bulk stores and reductions. */
#ifndef PTXOPT_LINT_PUBLISHED_BULK_H
#define PTXOPT_LINT_PUBLISHED_BULK_H

#include "lint/lint.h"

/* Reports flags in global memory that a thread sets after its own bulk store, if the thread has
 * waited only until the source of the store was read. The findings have the code `code`. */
void published_bulk_report(struct lint *lint, const struct lint_code *code);

#endif
