/* tcgen05 instructions after a barrier of the CTA that another warp reaches after a tcgen05
 * instruction of its own, without a fence::after_thread_sync in between. */
#ifndef PTXOPT_LINT_FENCE_AFTER_BARRIER_H
#define PTXOPT_LINT_FENCE_AFTER_BARRIER_H

#include "lint/lint.h"

/* Reports them, with notes of the code. fenced: the number of waits that a needed fence follows, as
 * far as they are counted; 0 if some wait has none. If it is not 0, the only barrier without the
 * fence may be a warning. */
void fence_after_barrier_report(struct lint *lint, const struct lint_code *code, uint32_t fenced);

#endif
