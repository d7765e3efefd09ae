/* Estimates, from the text alone, how many registers may be live once waits are deleted. */
#ifndef PTXOPT_ORDER_PRESSURE_H
#define PTXOPT_ORDER_PRESSURE_H

#include <stdbool.h>
#include <stdint.h>

struct analysis;
struct arena;

/* Registers of 32 bits; pairs count as two, predicates not at all. */
struct pressure_at {
    uint32_t before, after;
};

/* Of a function: the most that are live anywhere, in the text as it came and with the deletions;
 * and by instruction, of each wait::ld that is gone, those that are live behind the next load, zero
 * where none comes before another instruction that orders. */
struct pressure {
    struct pressure_at most;
    struct pressure_at *of;
};

/* Fills it, in arena, by liveness over the graph; false when there are too many blocks and
 * registers to tell. The view must have kept all uses (view_keep_all).
 *
 * What is assumed: where waits between loads of tensor memory are gone, ptxas issues all of these
 * loads back to back, at the first of them and so in front of what uses any of their registers; and
 * what was live behind that first load, its own registers among it, stays so meanwhile. Loads in
 * different blocks stay where they are. ptxas does so when it has the registers, and less where it
 * aims at fewer; it also holds addresses, constants and temporaries that the text does not show,
 * and folds away others that it does. So only the growth tells something, not the number. */
bool pressure_build(struct pressure *pressure, const struct analysis *analysis,
                    struct arena *arena);

#endif
