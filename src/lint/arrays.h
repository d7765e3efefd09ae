/* Guesses which mbarriers belong to one array. If one role loops over an array and the other
 * has its loop unrolled, neither the text nor its values show that. */
#ifndef PTXOPT_LINT_ARRAYS_H
#define PTXOPT_LINT_ARRAYS_H

#include "lint/lint.h"
#include "value/barriers.h"

/* In lint->arena. After barriers_build. */
struct arrays *arrays_build(struct lint *lint);

/* One is an array, and the other most likely in it: one role loops over it, and the other has its
 * loop unrolled. */
bool arrays_likely_same(const struct lint *lint, const struct barrier_use *a,
                        const struct barrier_use *b);

/* They are not the same, or most likely of two arrays that lie one after the other. */
bool arrays_likely_others(const struct lint *lint, const struct barrier_use *a,
                          const struct barrier_use *b);

#endif
