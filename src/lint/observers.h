/* Finds the threads that continue when a thread releases, and whether they access tensor
 * memory. */
#ifndef PTXOPT_LINT_OBSERVERS_H
#define PTXOPT_LINT_OBSERVERS_H

#include "lint/releases.h"
#include "value/barriers.h"

struct observers;

/* What is found out about the releases of one function, each once. */
struct observers *observers_build(struct lint *lint);
void observers_free(struct observers *observers);

/* Of which function. */
struct lint *observers_lint(const struct observers *observers);

/* False when those that wait for the release do nothing that may collide with the operation, a
 * tcgen05.ld or st: an mbarrier that only frees shared memory for a copy, a barrier among warps
 * that are about to use their registers, other columns. Looked at is what comes after a bar.sync
 * up to the next one of that number, after a wait for an arrive up to one of all threads: there
 * the query starts again. */
bool observers_matter(struct observers *observers, uint32_t release, uint32_t operation);

/* Those that wait for the release reach the columns of the operation, or those of another stage
 * of the same allocation, or to a dealloc; true, too, when it is not known which they are. */
bool observers_collide(struct observers *observers, uint32_t release, uint32_t operation);

/* The mbarrier that the release arrives at; NULL: none. One of another CTA, which runs the same
 * text, counts as the own one of that name. */
const struct barrier_use *observers_barrier(struct observers *observers, uint32_t release);

/* The next place where a thread waits for this release, for sure: on the same mbarrier or array of
 * them, at a barrier of the same number. NO_INSTR after the last; *next is 0 at first. */
uint32_t observers_next(struct observers *observers, uint32_t release, uint32_t *next);

#endif
