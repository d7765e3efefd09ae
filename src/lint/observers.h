/* Finds the threads that continue after a release, and whether they access tensor memory. */
#ifndef PTXOPT_LINT_OBSERVERS_H
#define PTXOPT_LINT_OBSERVERS_H

#include "lint/releases.h"
#include "value/barriers.h"

struct observers;

/* Stores the results for the releases of one function. In lint->arena, except the memory that
 * observers_free frees. */
struct observers *observers_new(struct lint *lint);
void observers_free(struct observers *observers);

struct lint *observers_lint(const struct observers *observers);

/* False if the threads that wait for the release do nothing that may conflict with the operation, a
 * tcgen05.ld or st. Examples: an mbarrier that only frees shared memory for a copy, a barrier
 * before warps that only use their registers, accesses to other columns. After a bar.sync the code
 * up to the next barrier with that number is examined; after a wait for an mbarrier, the code up to
 * a barrier of all threads. */
bool observers_matter(struct observers *observers, uint32_t release, uint32_t operation);

/* True if the threads that wait for the release reach the columns of the operation, another stage
 * of the same allocation, or a dealloc; also if it is unknown which threads wait. */
bool observers_collide(struct observers *observers, uint32_t release, uint32_t operation);

/* Threads that wait for the release reach a dealloc, and no other barrier before it. */
bool observers_reach_dealloc(struct observers *observers, uint32_t release);

/* Threads that wait for the release reach an operation that most likely conflicts with this one
 * (see handover_likely_conflict). */
bool observers_reuse(struct observers *observers, uint32_t release, uint32_t operation);

/* The threads that wait for the release do nothing that may conflict with the operation, except
 * that they free tensor memory. */
bool observers_only_free(struct observers *observers, uint32_t release, uint32_t operation);

/* The mbarrier at which the release arrives; NULL: none. An mbarrier of another CTA, which executes
 * the same code, counts as the mbarrier of that name in this CTA. */
const struct barrier_use *observers_barrier(struct observers *observers, uint32_t release);

/* The next instruction at which a thread certainly waits for this release: on the same mbarrier or
 * array of mbarriers, or at a barrier with the same number. NO_INSTR after the last. *next must be
 * 0 in the first call. */
uint32_t observers_next(struct observers *observers, uint32_t release, uint32_t *next);

#endif
