/* Which mbarriers, and arrays of them, may be the same: not known to be others by their addresses
 * and by where arrays end. */
#ifndef PTXOPT_LINT_MBARRIERS_H
#define PTXOPT_LINT_MBARRIERS_H

#include "lint/lint.h"
#include "value/barriers.h"

/* Of a function; after barriers_build. In lint->arena. */
struct mbarriers *mbarriers_build(struct lint *lint);

/* A signal by the one use may be what the other waits for; the same in either order. */
bool mbarriers_meet(const struct lint *lint, const struct barrier_use *a,
                    const struct barrier_use *b);

/* How many bytes an array of mbarriers has by the index of this use, from its beginning; 0: the
 * index does not say. */
int64_t mbarriers_indexed_bytes(const struct lint *lint, const struct barrier_use *array);

#endif
