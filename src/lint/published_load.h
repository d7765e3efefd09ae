/* The part of published-incomplete for loads. */
#ifndef PTXOPT_LINT_PUBLISHED_LOAD_H
#define PTXOPT_LINT_PUBLISHED_LOAD_H

#include "lint/observers.h"

/* Reports each tcgen05.ld that is in flight at a release, as a finding of code. */
void published_load_report(struct lint *lint, const struct lint_code *code,
                           struct observers *observers);

#endif
