/* Where a walk has to look: the instructions of each block that may interest it or change what is
 * known on its path, and what control gets to from each block. */
#ifndef PTXOPT_LINT_WALK_STOPS_H
#define PTXOPT_LINT_WALK_STOPS_H

#include "lint/lint.h"

struct walk_stops {
    uint32_t *at;      /* instructions that are not register work, or change what is known */
    uint32_t *first;   /* by block, and one more: into at */
    uint32_t *effects; /* by block: the walk_bits of all its stops */
    uint32_t *reaches; /* … and of those of all blocks that control gets to from it */
    bool *passes;      /* by block: a path through it changes nothing that is known */
    bool **leads; /* by block: those that control reaches it from, or it; NULL: not computed yet */
};

/* Of a function; after path_conditions_build. All in lint->arena. */
void walk_stops_find(const struct lint *lint, struct walk_stops *stops);

/* By block: control gets from it to `to`, or it is that block. */
const bool *walk_stops_lead(const struct lint *lint, const struct walk_stops *stops, uint32_t to);

/* The place in stops->at of the first stop of the block at instr or after it. */
uint32_t walk_stops_behind(const struct walk_stops *stops, uint32_t block, uint32_t instr);

#endif
