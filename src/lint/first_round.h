/* Decides whether a wait for an mbarrier passes at once in the first iteration of its loop. */
#ifndef PTXOPT_LINT_FIRST_ROUND_H
#define PTXOPT_LINT_FIRST_ROUND_H

#include "lint/lint.h"
#include "value/barriers.h"

/* The parity of the wait in the first iteration of all loops around it: 0 or 1; -1: not known. */
int first_round_parity(const struct lint *lint, uint32_t wait);

/* The parity of the wait in the first iteration of all loops around it is that of the phase before
 * the first, so the wait passes before any thread has arrived. False if that is not known. */
bool first_round_passes(const struct lint *lint, uint32_t wait);

/* Each round of the loop waits for the mbarriers of the array from a constant one on, as a smaller
 * loop in it does that waits for all of them. loop: by block. */
bool first_round_begins_anew(const struct lint *lint, const struct barrier_use *wait,
                             const bool *loop);

#endif
