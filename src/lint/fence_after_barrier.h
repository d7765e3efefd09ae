/* tcgen05 instructions after a barrier of the CTA that another warp reaches after a tcgen05
 * instruction of its own, without a fence::after_thread_sync in between. */
#ifndef PTXOPT_LINT_FENCE_AFTER_BARRIER_H
#define PTXOPT_LINT_FENCE_AFTER_BARRIER_H

#include "lint/lint.h"

/* Reports them, with notes of the code. */
void fence_after_barrier_report(struct lint *lint, const struct lint_code *code);

#endif
