/* What is known of one function while its synchronisation is removed step by step: the graph,
 * the instructions removed so far, the assumptions. */
#ifndef PTXOPT_ORDER_ANALYSIS_H
#define PTXOPT_ORDER_ANALYSIS_H

#include "base/vec.h"
#include "flow/cfg.h"
#include "order/assume.h"
#include "order/verdict.h"

struct apart;
struct watch;
struct window;
struct scan_room;

/* An instruction that may order anything: its effect is neither REGISTER nor MEMORY. */
struct event {
    uint32_t instr;
    uint8_t effect; /* enum effect */
};

struct analysis {
    const struct view *view;
    const struct function *function;
    const struct cfg *cfg;
    uint32_t assumptions;
    bool *deleted;                   /* by instruction: removed from the thinned program */
    bool past_asides;                /* scans pass over what is OPCODE_ASIDE; never to remove by */
    struct VEC(struct event) events; /* ascending */
    uint32_t effects;                /* of events: a bit for each that one has */
    uint32_t *first_event;           /* by block, and one more: into events */
    struct watch *watch;             /* see watch.h; both zero until watch_need */
    struct window *window;           /* see window.h */
    /* For watch_need; by a pointer, since its callers are what it calls. */
    void (*find_points)(const struct analysis *analysis);
    struct arena *arena;
    struct scan_room *room; /* see scan.h */
    struct apart *apart;    /* see apart.h; NULL: it may not be queried */
};

/* Nothing is removed yet. What is not in arena is freed by analysis_free. */
void analysis_init(struct analysis *analysis, const struct view *view,
                   const struct function *function, const struct cfg *cfg, uint32_t assumptions,
                   struct arena *arena);
void analysis_free(struct analysis *analysis);

/* Of its assumptions, those that mean something in this function. */
uint32_t analysis_assumptions(const struct analysis *analysis);

static inline const struct instr *analysis_instr(const struct analysis *analysis, uint32_t i)
{
    return &analysis->function->instrs[i];
}

static inline enum effect analysis_effect(const struct analysis *analysis, uint32_t i)
{
    return analysis->function->instrs[i].opcode->effect;
}

/* The event that instruction i is. */
static inline uint32_t analysis_event(const struct analysis *analysis, uint32_t i)
{
    uint32_t block = analysis->cfg->block_of[i];
    uint32_t low = analysis->first_event[block], high = analysis->first_event[block + 1];
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (analysis->events.at[mid].instr <= i)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* Whether it is passed over while a better witness is looked for. */
static inline bool analysis_passes(const struct analysis *analysis, uint32_t i)
{
    const struct opcode *opcode = analysis->function->instrs[i].opcode;
    return analysis->deleted[i] || (analysis->past_asides && opcode->traits & OPCODE_ASIDE);
}

/* It certainly runs when control gets there: only such an instruction may justify a removal. */
static inline bool analysis_always(const struct analysis *analysis, uint32_t i)
{
    return analysis->function->instrs[i].guard == REG_NONE;
}

/* The registers that instruction i names, its guard included: [*first, *end). */
static inline void analysis_uses(const struct analysis *analysis, uint32_t i,
                                 const struct use **first, const struct use **end)
{
    const struct instr *instr = analysis_instr(analysis, i);
    *first = &analysis->function->uses[instr->first_use];
    *end = *first + instr->use_count;
}

#endif
