/* Which instructions may order anything? */
#include "order/analysis.h"

#include "order/scan.h"
#include "order/watch.h"
#include "order/window.h"

void analysis_init(struct analysis *analysis, const struct view *view,
                   const struct function *function, const struct cfg *cfg, uint32_t assumptions,
                   struct arena *arena)
{
    *analysis = (struct analysis){
        .view = view, .function = function, .cfg = cfg, .assumptions = assumptions};
    analysis->deleted = arena_alloc(arena, function->count, sizeof *analysis->deleted);
    analysis->first_event = arena_alloc(arena, cfg->count + 1, sizeof *analysis->first_event);
    for (uint32_t b = 0; b < cfg->count; b++) {
        analysis->first_event[b] = analysis->events.count;
        for (uint32_t i = cfg->blocks[b].first; i < cfg->blocks[b].end; i++) {
            enum effect effect = function->instrs[i].opcode->effect;
            if (effect_is_neutral(effect)) continue;
            vec_push(&analysis->events, (struct event){i, (uint8_t)effect});
        }
    }
    analysis->first_event[cfg->count] = analysis->events.count;
    analysis->room = scan_room_build(cfg, arena);
    analysis->watch = watch_build(analysis, arena);
    analysis->window = window_build(analysis, arena);
    watch_find_points(analysis->watch, analysis, arena);
}

void analysis_free(struct analysis *analysis)
{
    scan_room_free(analysis->room);
    watch_free(analysis->watch);
    vec_free(&analysis->events);
}

uint32_t analysis_event(const struct analysis *analysis, uint32_t i)
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
