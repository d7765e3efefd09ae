/* Tensor copies that use a tensor map which the kernel has overwritten, without a proxy fence that
 * acquires the map. */
#ifndef PTXOPT_LINT_PROXY_FENCE_MAP_H
#define PTXOPT_LINT_PROXY_FENCE_MAP_H

#include "lint/lint.h"

/* Reports them, with warnings of the code. */
void proxy_fence_map_find(struct lint *lint, const struct lint_code *code);

#endif
