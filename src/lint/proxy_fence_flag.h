/* The code proxy-fence-missing: global memory that is handed over by a flag. */
#ifndef PTXOPT_LINT_PROXY_FENCE_FLAG_H
#define PTXOPT_LINT_PROXY_FENCE_FLAG_H

#include "lint/lint.h"

/* Reports, as findings of code, bulk copies from global memory behind a wait for a flag in global
 * memory, if other threads may have written that memory through the generic proxy before they set
 * the flag, and the function has no proxy fence for global memory. */
void proxy_fence_flag_find(struct lint *lint, const struct lint_code *code);

#endif
