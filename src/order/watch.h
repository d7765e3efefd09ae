/* Finds the registers that matter to waits and to pairs, and the instructions that access them. For
 * waits, one pass over a function serves all callers, and for pairs another one: many functions
 * need neither, and most of the others only one of them. */
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
};

/* The instructions that matter to one watcher, ascending. first, by block and one more: the index
 * of the block's first instruction in at. */
struct watch_points {
    struct VEC(uint32_t) at;
    uint32_t *first;
};

/* Removals of waits of one kind that write no register too early, by the points of the kind; see
 * registers.c. */
struct watch_safe {
    bool known;
    bool *removed; /* the wait was removed */
    bool *depends; /* it needs register-dependency */
};

struct watch {
    uint32_t *number_of; /* by register: index in registers; 0: the register is not watched */
    struct VEC(struct watched) registers; /* the first is not a register: all REG_NONE */
    /* by register: bits 1 << watcher of the watchers of its reads, and of its writes */
    uint8_t (*watchers)[2];
    uint32_t slots[WATCH_PAIRS];
    struct watch_points points[WATCHERS];
    struct watch_safe safe[WATCH_PAIRS];
};

/* Adds the registers of loads and stores to analysis->watch, and finds the points of WATCH_LD and
 * WATCH_ST, if that was not done yet. */
void watch_need(const struct analysis *analysis);

/* Allocates number_of, registers and watchers, in the arena of the analysis, if they are not there
 * yet. watch_free frees the memory that is not in the arena. */
void watch_begin(const struct analysis *analysis);
void watch_free(struct watch *watch);

/* Adds the register to the watched ones if it is not there. The result is valid until the next
 * call. Call watch_begin first. */
static inline struct watched *watch_add(struct watch *watch, reg_id reg)
{
    if (!watch->number_of[reg]) {
        watch->number_of[reg] = watch->registers.count;
        vec_push(&watch->registers, (struct watched){{REG_NONE, REG_NONE}, REG_NONE});
    }
    return &watch->registers.at[watch->number_of[reg]];
}

/* Sets the points of these watchers (bits 1 << watcher), once. Call it after all their registers
 * have been added. */
void watch_find_points(const struct analysis *analysis, unsigned watchers);

static inline const struct watched *watch_of(const struct watch *watch, reg_id reg)
{
    return &watch->registers.at[watch->number_of[reg]];
}

#endif
