/* Signals that let an operation be executed once more. What a thread knows about the completion of
 * the operation before it gives such a signal is about the earlier execution only. */
#ifndef PTXOPT_LINT_RENEWALS_H
#define PTXOPT_LINT_RENEWALS_H

#include "lint/handover.h"
#include "value/conditions.h"

struct renewals;

/* Allocated in lint->arena. renewals_begin selects the operation that the functions below answer
 * for; it can be called again for the next one. likely: a wait that most likely is for a signal
 * counts as a wait for it, which takes more time. */
struct renewals *renewals_new(const struct lint *lint);
void renewals_begin(struct renewals *renewals, uint32_t operation, bool likely);

/* The handover with that index lets the operation be executed once more. */
bool renewals_is(struct renewals *renewals, uint32_t handover);

/* On some path from the wait to the instruction, which it may reach, there is no such signal. The
 * paths from a wait are searched once for several questions about it in a row. */
bool renewals_before(struct renewals *renewals, uint32_t wait, uint32_t instr);

/* Adds to *set that the wait for an mbarrier succeeds, or returns false. False if that contradicts
 * the set or the result of the wait is not known. */
bool renewals_assume(const struct lint *lint, uint32_t wait, bool succeeds,
                     struct condition_set *set);

#endif
