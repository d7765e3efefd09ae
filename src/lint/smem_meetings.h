/* Finds the accesses that touch the same place of shared memory as a given one. */
#ifndef PTXOPT_LINT_SMEM_MEETINGS_H
#define PTXOPT_LINT_SMEM_MEETINGS_H

#include "base/intervals.h"
#include "lint/smem_place.h"

struct smem_meetings;

/* For the places of smem_places_find. In lint->arena; found on the first call. */
const struct smem_meetings *smem_meetings_find(struct lint *lint);

/* Replaces *found by the indices of the places for which smem_places_meet with `place` is true, in
 * no particular order, and perhaps more than once. Takes about as many steps as there are places at
 * the same address. The caller frees *found. */
void smem_meetings_of(const struct lint *lint, const struct smem_meetings *meetings,
                      const struct smem_place *place, struct item_list *found);

#endif
