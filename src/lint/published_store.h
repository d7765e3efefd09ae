/* The part of published-incomplete for stores. */
#ifndef PTXOPT_LINT_PUBLISHED_STORE_H
#define PTXOPT_LINT_PUBLISHED_STORE_H

#include "lint/observers.h"

/* Reports each tcgen05.st that is in flight at a release, as a finding of code. */
void published_store_report(struct lint *lint, const struct lint_code *code,
                            struct observers *observers);

#endif
