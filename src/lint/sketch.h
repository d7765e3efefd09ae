/* Where a walk can find anything at all. A sketch follows every path of control, once for each
 * state, whatever is known on the way but for what holds where it begins; the walk itself then
 * leaves out what leads to nothing. Only for a look that does nothing but answer: it is called for
 * the sketch, too. */
#ifndef PTXOPT_LINT_SKETCH_H
#define PTXOPT_LINT_SKETCH_H

#include "lint/walk.h"
#include "lint/walk_stops.h"

struct sketch;

/* In lint->arena but for what sketch_free frees; used again by each sketch_draw. */
struct sketch *sketch_new(const struct lint *lint, const struct walk_stops *stops);
void sketch_free(struct sketch *sketch);

/* What a walk is begun with; interest is not 0. */
struct sketch_start {
    uint32_t instr; /* it begins just after that one */
    unsigned state;
    uint32_t interest;
    walk_look *look;
    void *context;
};

/* False when no way from there leads to what the look says WALK_FOUND to. */
bool sketch_draw(struct sketch *sketch, const struct sketch_start *start);

/* Since the last sketch_draw: false when none does from instruction `at` of the block in that
 * state. */
bool sketch_leads(const struct sketch *sketch, uint32_t block, uint32_t at, unsigned state);

#endif
