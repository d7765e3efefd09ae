/* The two halves of published-incomplete have this in common. */
#ifndef PTXOPT_LINT_PUBLISHED_H
#define PTXOPT_LINT_PUBLISHED_H

#include "base/vec.h"
#include "lint/observers.h"
#include "lint/walk.h"

/* Releases that one operation has been reported with, or will not be. */
struct releases_met VEC(uint32_t);
enum { RELEASES_TOLD_MAX = 4 }; /* of one operation: the first say it */

static inline bool releases_has(const struct releases_met *met, uint32_t instr)
{
    for (uint32_t i = 0; i < met->count; i++)
        if (met->at[i] == instr) return true;
    return false;
}

/* A barrier with the operation in flight, but on each path the wait (its effect) comes before
 * anything else is released. */
bool published_waits_next(const struct lint *lint, uint32_t barrier, enum effect wait);

/* On each path the wait comes before anything else is released, and on some a release after it
 * that matters to the operation: it is that one that says that the operation is complete. */
bool published_is_for_another(struct observers *observers, uint32_t operation, uint32_t release,
                              enum effect wait);

/* After the release some path comes to the next round of the store, and no other release says on it
 * that this round's store is complete. The same release in the next round says that only where the
 * address of the store moves. */
bool published_store_is_for_none(struct observers *observers, uint32_t store, uint32_t release);

/* The release is an arrive at the mbarrier of the slot that the operation accesses, in a ring over
 * which a loop iterates: whatever comes later, it releases that slot. */
bool published_frees_slot(const struct lint *lint, uint32_t operation, uint32_t release);

/* Another warp that waits for this release comes, before it waits for anything else, to the cells
 * that the operation is still at, and nothing else orders the two: whatever the thread waits for
 * later is too late. */
bool published_collides(struct observers *observers, uint32_t operation, uint32_t release);

/* One of the warps that meet at this barrier issues an mma over the cells after it, before
 * it can have learnt that the others, which wait later, are done. */
bool published_meets_product(const struct lint *lint, uint32_t operation, uint32_t barrier);

#endif
