/* The state of one function while its synchronisation is removed step by step: the graph, the
 * instructions removed so far, the assumptions. */
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
    bool *deleted;    /* by instruction: removed from the thinned program */
    bool past_asides; /* scans pass over OPCODE_ASIDE instructions; only for messages, never for a
                         removal */
    struct VEC(struct event) events; /* ascending */
    uint32_t effects;                /* of events: the bits 1 << effect that occur */
    uint16_t traits;                 /* of events: the bits of enum opcode_trait that occur */
    /* Other threads, which run the same code, may arrive at a barrier, or wait for one, without
     * causality. */
    bool arrives_relaxed, waits_relaxed;
    uint32_t *first_event; /* by block, and one more: the index of its first event */
    uint32_t *effects_of;  /* by block: as effects, of its events */
    struct watch *watch;   /* see watch.h; zero until it is needed, as is window */
    struct window *window; /* see window.h */
    struct arena *arena;
    struct scan_room *room; /* see scan.h */
    struct apart *apart;    /* see apart.h; NULL: apart must not be used */
    bool *by_store;         /* true: hold_decline declined less because a store ends a load */
};

/* Prepares the analysis; no instruction is removed yet. view, function and cfg are borrowed.
 * analysis_free frees the memory that is not in arena. */
void analysis_init(struct analysis *analysis, const struct view *view,
                   const struct function *function, const struct cfg *cfg, uint32_t assumptions,
                   struct arena *arena);
void analysis_free(struct analysis *analysis);

/* The assumptions of the analysis that have a meaning in this function. */
uint32_t analysis_assumptions(const struct analysis *analysis);

static inline const struct instr *analysis_instr(const struct analysis *analysis, uint32_t i)
{
    return &analysis->function->instrs[i];
}

static inline enum effect analysis_effect(const struct analysis *analysis, uint32_t i)
{
    return analysis->function->instrs[i].opcode->effect;
}

/* The index in events of instruction i, which must be an event. */
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

/* Scans pass over the instruction: it is removed, or past_asides is set and a better witness is
 * looked for. */
static inline bool analysis_passes(const struct analysis *analysis, uint32_t i)
{
    const struct opcode *opcode = analysis->function->instrs[i].opcode;
    return analysis->deleted[i] || (analysis->past_asides && opcode->traits & OPCODE_ASIDE);
}

/* The instruction has no guard, so it is executed whenever control reaches it. Only such an
 * instruction may justify a removal. */
static inline bool analysis_always(const struct analysis *analysis, uint32_t i)
{
    return analysis->function->instrs[i].guard == REG_NONE;
}

/* The registers that instruction i names, its guard included: [*first, *end). */
static inline void analysis_uses(const struct analysis *analysis, uint32_t i,
                                 const struct use **first, const struct use **end)
{
    const struct instr *instr = analysis_instr(analysis, i);
    bool any = instr->use_count; /* a function without uses has no array of them */
    *first = any ? &analysis->function->uses[instr->first_use] : NULL;
    *end = any ? *first + instr->use_count : NULL;
}

#endif
