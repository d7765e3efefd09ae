/* The part of proxy-fence-missing about global memory that is written and copied back. */
#ifndef PTXOPT_LINT_PROXY_FENCE_GLOBAL_H
#define PTXOPT_LINT_PROXY_FENCE_GLOBAL_H

#include "lint/lint.h"

/* Reports, as findings of code, bulk copies from global memory that the thread has written through
 * the generic proxy, if no proxy fence for global memory is between the two; and what
 * proxy_fence_flag.h finds. */
void proxy_fence_global_find(struct lint *lint, const struct lint_code *code);

#endif
