/* The part of dealloc-too-early that checks whether the warp that frees learns that another warp
 * has completed its loads. */
#ifndef PTXOPT_LINT_DEALLOC_TOLD_H
#define PTXOPT_LINT_DEALLOC_TOLD_H

#include "lint/handover.h"

/* Reports the dealloc as a finding of code if the user, a load of another warp, is not signalled to
 * the warp that frees; or if that warp can go from the mma whose result the user loads to the
 * dealloc without a wait that may be for the user. */
void dealloc_told_report(struct lint *lint, const struct lint_code *code, uint32_t dealloc,
                         uint32_t user);

#endif
