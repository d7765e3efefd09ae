/* Decides whether a place in shared memory is a stage that a copy fills for other threads to
 * read. */
#ifndef PTXOPT_LINT_SMEM_STAGE_H
#define PTXOPT_LINT_SMEM_STAGE_H

#include "lint/smem_place.h"

/* An asynchronous copy has written what the load reads, and no thread has stored there since the
 * wait for it. A place that is first a stage and later passes data between threads is not a stage
 * in the later part. */
bool smem_stage_is(const struct lint *lint, const struct smem_places *places,
                   const struct smem_place *load);

#endif
