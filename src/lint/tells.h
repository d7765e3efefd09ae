/* Decides whether a thread may learn of one instruction before it executes another one. */
#ifndef PTXOPT_LINT_TELLS_H
#define PTXOPT_LINT_TELLS_H

#include "lint/lint.h"

/* A signal that control may reach from `first` may be one for which a wait before `second` waits.
 * False only if there is no such wait: then a thread can execute `second` after `first` only by
 * executing both. */
bool tells_before(const struct lint *lint, uint32_t first, uint32_t second);

/* The index in handovers->at before which no wait may be for a signal that comes behind `first`. */
uint32_t tells_from(const struct lint *lint, uint32_t first);

#endif
