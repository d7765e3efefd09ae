/* Finds signals for which another thread certainly waits. */
#ifndef PTXOPT_LINT_TOLD_H
#define PTXOPT_LINT_TOLD_H

#include "lint/handover.h"

/* The wait is certainly for the signal, at an mbarrier or at a barrier of the CTA with a constant
 * number, and another thread executes it; another lane of the same warp counts as another thread.
 */
bool told_for_sure(const struct lint *lint, const struct handover *signal,
                   const struct handover *wait);

/* told_for_sure is true for the signal, an index in handovers->at, with some wait. */
bool told_to_some(const struct lint *lint, uint32_t signal);

#endif
