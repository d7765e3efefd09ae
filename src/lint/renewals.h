/* Signals that let an operation run once more. What a thread has learnt of the operation before it
 * gives such a signal is of the round before. */
#ifndef PTXOPT_LINT_RENEWALS_H
#define PTXOPT_LINT_RENEWALS_H

#include "lint/handover.h"
#include "value/conditions.h"

struct renewals;

/* In lint->arena; for any number of operations, one after the other. */
struct renewals *renewals_new(const struct lint *lint);
void renewals_begin(struct renewals *renewals, uint32_t operation);

/* The handover, by its place, is such a signal. */
bool renewals_is(struct renewals *renewals, uint32_t handover);

/* Follows all ways from the wait on, up to such signals. */
void renewals_follow(struct renewals *renewals, uint32_t wait);

/* Some way on which control comes from that wait to the instruction has none. */
bool renewals_before(struct renewals *renewals, uint32_t instr);

/* Adds to *set that the wait for an mbarrier succeeds, or that it returns false. False when that
 * contradicts it, or nothing is known of its result. */
bool renewals_assume(const struct lint *lint, uint32_t wait, bool succeeds,
                     struct condition_set *set);

#endif
