/* Finds signals for which another thread certainly waits. */
#ifndef PTXOPT_LINT_TOLD_H
#define PTXOPT_LINT_TOLD_H

#include "base/intervals.h"
#include "lint/handover.h"

/* The wait is certainly for the signal, at an mbarrier or at a barrier of the CTA with a constant
 * number, and another thread executes it; another lane of the same warp counts as another thread.
 */
bool told_for_sure(const struct lint *lint, const struct handover *signal,
                   const struct handover *wait);

/* Appends the signals for which told_for_sure is true with some wait, as indices in
 * handovers->at. */
void told_signals_find(const struct lint *lint, struct item_list *found);

#endif
