/* Decides whether a thread that has executed an operation signals only after another thread has
 * executed its operation once more: then a wait for this signal does not order this round of the
 * two. */
#ifndef PTXOPT_LINT_ROUND_LATE_H
#define PTXOPT_LINT_ROUND_LATE_H

#include "lint/handover.h"

/* Control reaches `to` after `from` (NO_INSTR: from the beginning) without executing `but`, if
 * paths with contradictory conditions count too. */
bool round_reaches_without(const struct lint *lint, uint32_t from, uint32_t to, uint32_t but);

/* A thread that executes `first` has waited for a commit of `second`, and before it signals it
 * waits for the next one. So it signals after `second` has been executed once more. signal: index
 * in handovers->at; `first` and `second` are instructions. */
bool round_late(const struct lint *lint, uint32_t first, uint32_t second, uint32_t signal);

/* round_late may be true for some `second`. */
bool round_may_be_late(const struct lint *lint, uint32_t first, uint32_t signal);

/* In each round of a loop a thread waits for the signal `but`, executes `second` and then comes to
 * `wait`. Both waits have the same parity, so they are for signals of the same round, and before
 * `second` the thread has only waited for those of the round before. but: not NULL. */
bool round_before(const struct lint *lint, uint32_t second, const struct handover *but,
                  const struct handover *wait);

/* In each round of a loop a thread waits for a slot of a ring of at least two slots and for the
 * signal `but` at a single mbarrier, and executes `second`. The wait for the slot passes at once in
 * the first round. Another thread gives the signal `but` and one for a slot in each round. So the
 * wait for the slot is for a signal of an earlier round than `but`. but: not NULL. */
bool round_ring_before(const struct lint *lint, uint32_t second, const struct handover *but,
                       const struct handover *wait);

#endif
