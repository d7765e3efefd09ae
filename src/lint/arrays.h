/* Guesses which mbarriers belong to one array. When one role loops over the array and the other
 * role has its loop unrolled, neither the text nor the proven values show that both use the same
 * array. */
#ifndef PTXOPT_LINT_ARRAYS_H
#define PTXOPT_LINT_ARRAYS_H

#include "lint/lint.h"
#include "value/barriers.h"

/* Allocated in lint->arena. Call barriers_build first. */
struct arrays *arrays_build(struct lint *lint);

/* One of the two uses has an index, or a pointer that a loop advances, and the other is most likely
 * an element of the same array. */
bool arrays_likely_same(const struct lint *lint, const struct barrier_use *a,
                        const struct barrier_use *b);

/* The two are different mbarriers for certain, or most likely elements of two adjacent arrays. The
 * array of a pointer that a loop advances or turns is where it points before the loop. */
bool arrays_likely_others(const struct lint *lint, const struct barrier_use *a,
                          const struct barrier_use *b);

#endif
