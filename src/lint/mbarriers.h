/* Decides which uses may be of the same mbarrier or of an element of the same array of mbarriers:
 * neither their addresses nor the bounds of the arrays prove that the mbarriers differ. */
#ifndef PTXOPT_LINT_MBARRIERS_H
#define PTXOPT_LINT_MBARRIERS_H

#include "lint/lint.h"
#include "value/barriers.h"

/* Prepares the decisions for the function. Call barriers_build first. The result is allocated in
 * lint->arena. */
struct mbarriers *mbarriers_build(struct lint *lint);

/* A signal by one use may be the signal for which the other use waits. Symmetric in a and b. False
 * only if the mbarriers differ. */
bool mbarriers_meet(const struct lint *lint, const struct barrier_use *a,
                    const struct barrier_use *b);

/* Uses of the same kind have the same answers from mbarriers_meet. Kinds are numbers below
 * mbarriers_kinds. `use` is in subject->barriers. */
uint32_t mbarriers_kind(const struct lint *lint, const struct barrier_use *use);
uint32_t mbarriers_kinds(const struct lint *lint);

/* The size in bytes of an array of mbarriers, computed from the largest value of the index that
 * `array` uses. 0: the largest value is unknown. */
int64_t mbarriers_indexed_bytes(const struct lint *lint, const struct barrier_use *array);

/* The number of arrivals that an mbarrier.init, or a copy of its use, sets. 0: unknown. */
int64_t mbarriers_counted(const struct lint *lint, const struct barrier_use *init);

#endif
