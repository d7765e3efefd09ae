/* Finds the registers that matter to waits and to pairs, and the instructions that access them.
 * One pass over a function serves all callers. */
#ifndef PTXOPT_ORDER_WATCH_H
#define PTXOPT_ORDER_WATCH_H

#include "base/vec.h"
#include "order/analysis.h"

/* What an instruction may matter to. */
enum watcher {
    WATCH_LD,    /* registers of loads, which wait::ld guards */
    WATCH_ST,    /* … of stores */
    WATCH_PAIRS, /* registers that a pair rests on */
    WATCHERS
};

struct watched {
    uint32_t slot[WATCH_PAIRS]; /* 0, 1, … among the registers of loads, of stores; or REG_NONE */
    uint32_t mask;              /* of a register that pairs rest on: see window.h; or REG_NONE */
    uint8_t on_read, on_write;  /* bits 1 << watcher: the watchers of its reads, of its writes */
};

/* Instructions that matter to one watcher, ascending, and by block, and one more, where its own
 * begin. */
struct watch_points {
    struct VEC(uint32_t) at;
    uint32_t *first;
};

struct watch {
    uint32_t *number_of; /* by register: into registers; 0 for those that are not watched */
    struct VEC(struct watched) registers; /* the first is not a register: all REG_NONE and 0 */
    uint32_t slots[WATCH_PAIRS];
    struct watch_points points[WATCHERS];
};

/* Finds all that analysis->watch and analysis->window hold, when it is needed for the first time:
 * much that is asked of a function needs none of it. */
static inline void watch_need(const struct analysis *analysis)
{
    if (!analysis->watch->number_of) analysis->find_points(analysis);
}

/* The registers that accesses name. watch: zero. What is not in the analysis' arena is freed by
 * watch_free. */
void watch_build(struct watch *watch, const struct analysis *analysis);
void watch_free(struct watch *watch);

/* To be watched from now on; good until the next call. */
struct watched *watch_add(struct watch *watch, reg_id reg);

/* Finds the points, once all registers are there. */
void watch_find_points(struct watch *watch, const struct analysis *analysis);

static inline const struct watched *watch_of(const struct watch *watch, reg_id reg)
{
    return &watch->registers.at[watch->number_of[reg]];
}

#endif
