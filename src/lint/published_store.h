/* A tcgen05.st that is published before it is complete. */
#ifndef PTXOPT_LINT_PUBLISHED_STORE_H
#define PTXOPT_LINT_PUBLISHED_STORE_H

#include "lint/observers.h"

/* Reports each, with that code. */
void published_store_report(struct lint *lint, const struct lint_code *code,
                            struct observers *observers);

#endif
