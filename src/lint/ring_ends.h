/* Compares the use of a ring of mbarriers with other uses, for the code phase-reuse. */
#ifndef PTXOPT_LINT_RING_ENDS_H
#define PTXOPT_LINT_RING_ENDS_H

#include "lint/lint.h"
#include "value/barriers.h"

/* Where a ring of mbarriers ends. */
struct ring_end {
    bool known; /* `at` was computed */
    int64_t at; /* in the bytes of its object: the first address at which no mbarrier is
                   initialised; INT64_MAX: a loop initialises it, so its end is not known */
};

/* By kind of an mbarrier (mbarriers_kind): the end of its ring, not computed yet. In lint->arena.
 */
struct ring_end *ring_ends_new(const struct lint *lint);

/* The uses may be of the same mbarrier. */
bool ring_ends_may_be_same(const struct lint *lint, struct ring_end *ends,
                           const struct barrier_use *a, const struct barrier_use *b);

#endif
