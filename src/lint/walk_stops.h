/* Where a walk must stop: the instructions of each block that it may look for or that change what
 * is known on its path; and which blocks control can reach from each block. */
#ifndef PTXOPT_LINT_WALK_STOPS_H
#define PTXOPT_LINT_WALK_STOPS_H

#include "lint/lint.h"

/* What both sides of a branch do before they join. */
struct walk_region {
    uint32_t join;    /* the block in which the sides join; NO_JOIN: not known, or a side may change
                         what is known at the join */
    uint32_t effects; /* the walk_bits of all stops on the sides */
};

#define NO_JOIN UINT32_MAX

/* The stops of one interest. */
struct walk_skips {
    uint32_t interest;
    uint32_t *next; /* see walk_stops_next */
    struct walk_skips *more;
};

struct walk_stops {
    const uint32_t *at, *first; /* see struct path_stops */
    uint32_t *effects;          /* by block: the walk_bits of all its stops */
    uint32_t *reaches; /* by block: the walk_bits of all stops of it and of the blocks that control
                          can reach from it */
    bool *passes;      /* by block: a path through it changes nothing that is known */
    struct walk_region *regions; /* by block: of the branch at its end */
    bool **leads;                /* by block: result of walk_stops_lead, or NULL */
    struct walk_skips **skips;   /* the first of those that were asked for */
};

/* The block in which both sides of the branch at the end of the block join, if a walk with that
 * interest may pass over them; otherwise NO_JOIN. */
static inline uint32_t walk_stops_join(const struct walk_stops *stops, uint32_t block,
                                       uint32_t interest)
{
    const struct walk_region *region = &stops->regions[block];
    return interest && !(region->effects & interest) ? region->join : NO_JOIN;
}

/* For a function. To be called after path_conditions_build. Everything is in lint->arena. */
void walk_stops_find(const struct lint *lint, struct walk_stops *stops);

/* By block: control can get from it to `to`; true for `to` itself. In lint->arena. */
const bool *walk_stops_lead(const struct lint *lint, const struct walk_stops *stops, uint32_t to);

/* By index in stops->at: the index of the stop from there on that has one of the walk_bits
 * `interest`, or is an exit. The last item is the number of stops. In lint->arena. */
const uint32_t *walk_stops_next(const struct lint *lint, const struct walk_stops *stops,
                                uint32_t interest);

/* The index in stops->at of the first stop of the block at or after instr. */
uint32_t walk_stops_behind(const struct walk_stops *stops, uint32_t block, uint32_t instr);

#endif
