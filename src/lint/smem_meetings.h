/* Finds the accesses that touch the same place of shared memory as a given one. */
#ifndef PTXOPT_LINT_SMEM_MEETINGS_H
#define PTXOPT_LINT_SMEM_MEETINGS_H

#include "base/intervals.h"
#include "lint/smem_place.h"

struct smem_meetings;

/* For the places of smem_places_find. In lint->arena; found on the first call. */
const struct smem_meetings *smem_meetings_find(struct lint *lint);

enum { MEETING_LISTS_MAX = 64 };

/* Indices of places, in no particular order, and perhaps more than once. */
struct meeting_list {
    const uint32_t *at;
    uint32_t count;
    uint32_t number; /* 1 to MEETING_LISTS_MAX: the list is kept, and this is its number; 0: not */
    bool async[2];   /* by writes: some of them are of the asynchronous proxy */
};

/* Returns the places for which smem_places_meet with `place` is true. Takes about as many steps as
 * there are places at the same address, and few if they were found for a place that is alike. Valid
 * until *room is changed, which the caller frees. */
struct meeting_list smem_meetings_of(const struct lint *lint, const struct smem_meetings *meetings,
                                     const struct smem_place *place, struct item_list *room);

#endif
