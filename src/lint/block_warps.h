/* Which warps of the CTA may reach each block. A block may be reached under one of several
 * conditions, such as warp 4 or warp 8, which the conditions that hold on every path do not say. */
#ifndef PTXOPT_LINT_BLOCK_WARPS_H
#define PTXOPT_LINT_BLOCK_WARPS_H

#include "lint/lint.h"
#include "value/lanes.h"

/* By block: the warps of which some thread may reach it, as the bits of lanes_warps. Allocated in
 * lint->arena. */
uint32_t *block_warps_find(const struct lint *lint, const struct lanes_shape *shape);

#endif
