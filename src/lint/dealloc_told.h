/* The part of dealloc-too-early that follows what warps learn from others: whether the warp that
 * frees learns that another one is done with its loads. */
#ifndef PTXOPT_LINT_DEALLOC_TOLD_H
#define PTXOPT_LINT_DEALLOC_TOLD_H

#include "lint/handover.h"

/* Reports the dealloc when a load or store of another warp, the user, signals the warp that frees
 * nothing; or when a path leads that warp from the mma that the user loads the result of to the
 * dealloc, with no wait on it that may be for the user. */
void dealloc_told_report(struct lint *lint, const struct lint_code *code, uint32_t dealloc,
                         uint32_t user);

#endif
