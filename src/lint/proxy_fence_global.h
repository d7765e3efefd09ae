/* The part of proxy-fence-missing about global memory that is written and copied back. */
#ifndef PTXOPT_LINT_PROXY_FENCE_GLOBAL_H
#define PTXOPT_LINT_PROXY_FENCE_GLOBAL_H

#include "lint/lint.h"

/* The instruction is a proxy fence that orders accesses to global memory. */
bool proxy_fence_is_global(const struct lint *lint, uint32_t instr);

/* The instruction is a bulk copy from global to shared memory, without a tensor map. */
bool proxy_fence_copies_global(const struct lint *lint, uint32_t instr);

/* Reports, as findings of code, bulk copies from global memory that the thread has written through
 * the generic proxy, if no proxy fence for global memory is between the two; and what
 * proxy_fence_flag.h finds. */
void proxy_fence_global_find(struct lint *lint, const struct lint_code *code);

#endif
