/* Finds the places from which a walk can find anything. A sketch follows every path of control
 * once for each state. It knows only the conditions at the start, not those along the path, so it
 * reaches at least what the walk reaches. The walk then skips the other places. The look must
 * have no side effects, because it is called for the sketch as well. */
#ifndef PTXOPT_LINT_SKETCH_H
#define PTXOPT_LINT_SKETCH_H

#include "lint/walk.h"
#include "lint/walk_stops.h"

struct sketch;

/* In lint->arena, except what sketch_free frees. Can be used again with each sketch_draw. */
struct sketch *sketch_new(const struct lint *lint, const struct walk_stops *stops);
void sketch_free(struct sketch *sketch);

/* The arguments of the walk. interest must not be 0. */
struct sketch_start {
    uint32_t instr; /* the walk starts after this instruction */
    unsigned state;
    uint32_t interest;
    walk_look *look;
    void *context;
    bool shared; /* the sketch is for starts with other conditions, too: it excludes no blocks */
};

/* Makes the sketch for a walk. False if no path leads to an instruction for which the look returns
 * WALK_FOUND. */
bool sketch_draw(struct sketch *sketch, const struct sketch_start *start);

/* The same in two steps, of which the second may follow several times, for starts that differ in
 * instr and state only, with shared true: what was found for the starts before is used again. */
void sketch_begin(struct sketch *sketch);
bool sketch_extend(struct sketch *sketch, const struct sketch_start *start);

/* As sketch_draw, but ends at the first such instruction, and true for a walk that may reach more
 * than a few nodes; sketch_leads must not be called. */
bool sketch_any(struct sketch *sketch, const struct sketch_start *start);

/* For the sketch that was made last: false if no path leads to such an instruction from instruction
 * `at` of the block with that state. */
bool sketch_leads(const struct sketch *sketch, uint32_t block, uint32_t at, unsigned state);

#endif
