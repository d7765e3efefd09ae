/* Estimates, from the text alone, how many registers may be live once waits are removed. */
#ifndef PTXOPT_ORDER_PRESSURE_H
#define PTXOPT_ORDER_PRESSURE_H

#include <stdbool.h>
#include <stdint.h>

struct analysis;
struct arena;

/* Registers of 32 bits; pairs count as two, predicates as none. */
struct pressure_at {
    uint32_t before, after;
};

/* Of a function: the most that are live anywhere, in the original text and with the removals;
 * and by instruction, of each removed wait::ld, those that are live after the next load, zero
 * where none comes before another instruction that orders. */
struct pressure {
    struct pressure_at most;
    struct pressure_at *of;
};

/* Fills it, in arena, by liveness over the graph; false when there are too many blocks and
 * registers to estimate. The view must have kept all uses (view_keep_all).
 *
 * Assumed: where waits between loads of tensor memory are removed, ptxas issues all of these
 * loads back to back, at the first of them and so in front of what uses any of their registers; and
 * what was live after that first load, with its own registers, stays live meanwhile. Loads in
 * different blocks are not moved. ptxas does so when it has the registers, and less where it
 * aims at fewer; it also holds addresses, constants and temporaries that the text does not show,
 * and removes others that it does. So only the growth is meaningful, not the number. */
bool pressure_build(struct pressure *pressure, const struct analysis *analysis,
                    struct arena *arena);

#endif
