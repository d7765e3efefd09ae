/* Estimates, from the text alone, how many registers may be live after waits are removed. */
#ifndef PTXOPT_ORDER_PRESSURE_H
#define PTXOPT_ORDER_PRESSURE_H

#include <stdbool.h>
#include <stdint.h>

struct analysis;
struct arena;

/* Numbers of 32-bit registers: a 64-bit register counts as two, a predicate as none. before: in the
 * original text; after: with the removals. */
struct pressure_at {
    uint32_t before, after;
};

/* most: the most live registers at any place of the function. of, by instruction: for a removed
 * wait::ld, the live registers after the next load; zero if another ordering instruction comes
 * before that load. */
struct pressure {
    struct pressure_at most;
    struct pressure_at *of;
};

/* Fills *pressure, with `of` in arena, by liveness over the graph. False if there are too many
 * blocks and registers to estimate. The view must have kept all uses (view_keep_all).
 *
 * The estimate assumes that, where waits between loads of tensor memory are removed, ptxas issues
 * all these loads back to back at the place of the first, before the uses of their registers; and
 * that the registers that were live after the first load stay live meanwhile. Loads in different
 * blocks do not move. ptxas does so if it has enough registers, and moves fewer loads if it aims at
 * fewer registers. It also needs registers for addresses, constants and temporaries that the text
 * does not show, and removes some that it does show. So only the growth has a meaning, not the
 * number. */
bool pressure_build(struct pressure *pressure, const struct analysis *analysis,
                    struct arena *arena);

#endif
