/* Collects the instructions of a function that may order anything. See analysis.h. */
#include "order/analysis.h"

#include "order/scan.h"
#include "order/watch.h"
#include "order/window.h"

/* Notes a partner without causality. Code outside the function may be one. */
static void note_partner(struct analysis *analysis, const struct opcode *opcode)
{
    switch (opcode->effect) {
    case EFFECT_RELEASE_BARRIER:
    case EFFECT_BOTH_BARRIER:
        analysis->arrives_relaxed |= !(opcode->traits & OPCODE_CAUSAL_OUT);
        break;
    case EFFECT_ACQUIRE_BARRIER:
        analysis->waits_relaxed |= !(opcode->traits & OPCODE_CAUSAL_IN);
        break;
    case EFFECT_CALL: analysis->arrives_relaxed = analysis->waits_relaxed = true; break;
    default: break;
    }
}

void analysis_init(struct analysis *analysis, const struct view *view,
                   const struct function *function, const struct cfg *cfg, uint32_t assumptions,
                   struct arena *arena)
{
    *analysis = (struct analysis){
        .view = view, .function = function, .cfg = cfg, .assumptions = assumptions};
    analysis->arrives_relaxed = analysis->waits_relaxed = !function->is_entry;
    analysis->deleted = arena_alloc(arena, function->count, sizeof *analysis->deleted);
    analysis->first_event = arena_alloc(arena, cfg->count + 1, sizeof *analysis->first_event);
    analysis->effects_of = arena_alloc(arena, cfg->count, sizeof *analysis->effects_of);
    uint32_t block = 0;
    for (uint32_t n = 0; n < function->notable_count; n++) {
        uint32_t i = function->notable[n];
        const struct opcode *opcode = function->instrs[i].opcode;
        enum effect effect = opcode->effect;
        if (effect_is_neutral(effect)) continue;
        while (block <= cfg->block_of[i]) analysis->first_event[block++] = analysis->events.count;
        vec_push(&analysis->events, (struct event){i, (uint8_t)effect});
        analysis->effects_of[cfg->block_of[i]] |= 1u << effect;
        analysis->effects |= 1u << effect;
        analysis->traits |= opcode->traits;
        note_partner(analysis, opcode);
    }
    while (block <= cfg->count) analysis->first_event[block++] = analysis->events.count;
    analysis->room = scan_room_build(cfg, arena);
    analysis->watch = arena_alloc(arena, 1, sizeof *analysis->watch);
    analysis->window = arena_alloc(arena, 1, sizeof *analysis->window);
    analysis->by_store = arena_alloc(arena, 1, sizeof *analysis->by_store);
    analysis->arena = arena;
}

void analysis_free(struct analysis *analysis)
{
    scan_room_free(analysis->room);
    watch_free(analysis->watch);
    vec_free(&analysis->events);
}

/* not-cumulative distinguishes a thread's own operations from those of other threads. That has no
 * meaning if own operations may come back to the thread through a commit and its mbarrier, or from
 * a caller or callee. isa-9.4-pairs: the pairs of ISA 9.4 have ld, but not ld.red, and an operation
 * of a callee forms no pair. */
uint32_t analysis_assumptions(const struct analysis *analysis)
{
    bool own_may_return = !analysis->function->is_entry, unpaired = false;
    uint32_t lost = 0;
    for (uint32_t e = 0; e < analysis->events.count; e++) {
        const struct event *event = &analysis->events.at[e];
        enum effect effect = event->effect;
        own_may_return |= effect == EFFECT_COMMIT || effect == EFFECT_CALL;
        const struct opcode *opcode = analysis_instr(analysis, event->instr)->opcode;
        bool access = effect == EFFECT_ASYNC_LD || effect == EFFECT_ASYNC_ST;
        unpaired |= access && (opcode->writes > 1 || opcode->traits & OPCODE_CALLED);
    }
    if (own_may_return) lost |= ASSUME_NOT_CUMULATIVE;
    if (unpaired) lost |= ASSUME_ISA_9_4_PAIRS;
    return analysis->assumptions & ~lost;
}
