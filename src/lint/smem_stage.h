/* Decides whether a place in shared memory is a stage, which a copy fills for other threads to
 * read. */
#ifndef PTXOPT_LINT_SMEM_STAGE_H
#define PTXOPT_LINT_SMEM_STAGE_H

#include "lint/smem_place.h"

/* What the load reads came by an asynchronous copy, and no one has stored there since. What threads
 * hand each other through a place that is a stage later is another matter. */
bool smem_stage_is(const struct lint *lint, const struct smem_places *places,
                   const struct smem_place *load);

#endif
