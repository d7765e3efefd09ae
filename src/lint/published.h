/* The part that published_load and published_store share: they decide what a release is for. */
#ifndef PTXOPT_LINT_PUBLISHED_H
#define PTXOPT_LINT_PUBLISHED_H

#include "base/vec.h"
#include "lint/observers.h"
#include "lint/walk.h"

/* The releases with which one operation has been reported. */
struct releases_met VEC(uint32_t);
enum { RELEASES_TOLD_MAX = 4 }; /* per operation: further ones would repeat the same finding */

static inline bool releases_has(const struct releases_met *met, uint32_t instr)
{
    for (uint32_t i = 0; i < met->count; i++)
        if (met->at[i] == instr) return true;
    return false;
}

/* The operation is in flight at the barrier, but on each path a wait (an instruction with that
 * effect) comes before the next release. */
bool published_waits_next(const struct lint *lint, uint32_t barrier, enum effect wait);

/* On each path the wait comes before the next execution of the operation, and on some path a
 * release that matters to the operation follows the wait: that release announces that the operation
 * is complete. If the threads that wait for the first release use the columns again, a release
 * after which tensor memory is only freed does not count. */
bool published_is_for_another(struct observers *observers, uint32_t operation, uint32_t release,
                              enum effect wait);

/* Threads that wait for the release most likely use the columns of the operation again, and each
 * thread that comes to the release has executed the operation. In a loop that prefetches, the last
 * round leaves the operation out, and no path condition may show it. */
bool published_is_reused(struct observers *observers, uint32_t operation, uint32_t release);

/* On some path from the release to the next execution of the store, no release that matters to the
 * store follows a tcgen05.wait::st. `release` itself, executed again, counts only if the address of
 * the store is not fixed. */
bool published_store_is_for_none(struct observers *observers, uint32_t store, uint32_t release);

/* The release arrives at the mbarrier of the slot that the operation accesses, in a ring over which
 * a loop iterates. So no later release is for this slot. */
bool published_frees_slot(const struct lint *lint, uint32_t operation, uint32_t release);

/* After its wait for this release, and before any other wait, another warp reaches an operation
 * that certainly conflicts with this one, and nothing else orders the two. So a later wait of this
 * thread is too late. */
bool published_collides(struct observers *observers, uint32_t operation, uint32_t release);

/* After this barrier, one of the warps that join it issues an mma on the same cells, before it can
 * know that the operations of the other warps, which wait later, are complete. */
bool published_meets_product(const struct lint *lint, uint32_t operation, uint32_t barrier);

#endif
