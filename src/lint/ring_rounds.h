/* Whether a loop arms the mbarriers of a ring more often than the ring has mbarriers. */
#ifndef PTXOPT_LINT_RING_ROUNDS_H
#define PTXOPT_LINT_RING_ROUNDS_H

#include "lint/lint.h"
#include "value/barriers.h"

/* The number of mbarriers of a ring whose index is a number without its upper bits; 0: unknown, or
 * too many to count. */
int64_t ring_rounds_size(const struct lint *lint, const struct barrier_use *armed);

/* The loop goes on after as many iterations as the ring has mbarriers, as far as constants decide
 * that, and each iteration arms the next one. loop: by block, the loop around armed. Call it only
 * if the size is known. */
bool ring_rounds_wraps(const struct lint *lint, const struct barrier_use *armed, const bool *loop);

#endif
