/* Waits for the commit behind an operation. In nearly all kernels the threads that use a result
 * wait for that commit themselves, right before they use it: then nobody has to pass on that the
 * operation is complete, and it takes little time to see that. */
#ifndef PTXOPT_LINT_COMMIT_WAIT_H
#define PTXOPT_LINT_COMMIT_WAIT_H

#include "lint/handover.h"

/* The handover is a commit to an mbarrier, and it is not unknown whether the same lane executes the
 * operation and the commit. */
bool commit_wait_tracks(const struct lint *lint, uint32_t op, const struct handover *h);

/* Returns the index in handovers->at of a wait shortly before the reader in the text, which may
 * reach it, and which may be for a commit that tracks the operation and that the thread of the
 * operation reaches after it. handovers->count: none was found, although there may be one. */
uint32_t commit_wait_before(const struct lint *lint, uint32_t op, uint32_t reader);

enum { COMMIT_WAITS = 4 };

/* For each of the next commits in the text that track the operation, if there are waits for it:
 * sets the first of them, as an index in handovers->at. Returns their number. */
uint32_t commit_waits_for(const struct lint *lint, uint32_t op, uint32_t waits[COMMIT_WAITS]);

#endif
