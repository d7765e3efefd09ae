/* Finds the registers that matter to waits and to pairs, and the instructions that access them.
 * One pass over a function serves all callers. */
#ifndef PTXOPT_ORDER_WATCH_H
#define PTXOPT_ORDER_WATCH_H

#include "base/vec.h"
#include "order/analysis.h"

/* The analyses to which an instruction may matter. */
enum watcher {
    WATCH_LD,    /* registers of loads, for which wait::ld waits */
    WATCH_ST,    /* registers of stores, for which wait::st waits */
    WATCH_PAIRS, /* registers on which a pair depends */
    WATCHERS
};

struct watched {
    uint32_t slot[WATCH_PAIRS]; /* by WATCH_LD or WATCH_ST: the number of the register among those
                                   of loads or of stores, from 0; or REG_NONE */
    /* for a register on which pairs depend: its index in window.masks; or REG_NONE */
    uint32_t mask;
    uint8_t on_read, on_write; /* bits 1 << watcher: the watchers of its reads and of its writes */
};

/* The instructions that matter to one watcher, ascending. first, by block and one more: the index
 * of the block's first instruction in at. */
struct watch_points {
    struct VEC(uint32_t) at;
    uint32_t *first;
};

struct watch {
    uint32_t *number_of; /* by register: index in registers; 0: the register is not watched */
    struct VEC(struct watched) registers; /* the first is not a register: all REG_NONE and 0 */
    uint32_t slots[WATCH_PAIRS];
    struct watch_points points[WATCHERS];
};

/* Computes analysis->watch and analysis->window if that was not done yet. Many questions about a
 * function do not need them. */
static inline void watch_need(const struct analysis *analysis)
{
    if (!analysis->watch->number_of) analysis->find_points(analysis);
}

/* Adds the registers of loads and stores. *watch must be zero. watch_free frees the memory that is
 * not in the arena of the analysis. */
void watch_build(struct watch *watch, const struct analysis *analysis);
void watch_free(struct watch *watch);

/* Adds the register to the watched ones if it is not there. The result is valid until the next
 * call. */
struct watched *watch_add(struct watch *watch, reg_id reg);

/* Sets points. Call it after all registers have been added. */
void watch_find_points(struct watch *watch, const struct analysis *analysis);

static inline const struct watched *watch_of(const struct watch *watch, reg_id reg)
{
    return &watch->registers.at[watch->number_of[reg]];
}

#endif
