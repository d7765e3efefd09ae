/* A tcgen05.ld that is published before it is complete. */
#ifndef PTXOPT_LINT_PUBLISHED_LOAD_H
#define PTXOPT_LINT_PUBLISHED_LOAD_H

#include "lint/observers.h"

/* Reports each, with that code. */
void published_load_report(struct lint *lint, const struct lint_code *code,
                           struct observers *observers);

#endif
