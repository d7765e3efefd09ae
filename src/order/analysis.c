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
    uint32_t count = 0;
    for (uint32_t i = 0; i < function->count; i++)
        count += !effect_is_neutral(function->instrs[i].opcode->effect);
    analysis->events = arena_alloc(arena, count, sizeof *analysis->events);
    count = 0;
    for (uint32_t b = 0; b < cfg->count; b++) {
        analysis->first_event[b] = count;
        for (uint32_t i = cfg->blocks[b].first; i < cfg->blocks[b].end; i++)
            if (!effect_is_neutral(function->instrs[i].opcode->effect))
                analysis->events[count++] =
                    (struct event){i, (uint8_t)function->instrs[i].opcode->effect};
    }
    analysis->first_event[cfg->count] = count;
    analysis->room = scan_room_build(cfg, arena);
    analysis->watch = watch_build(analysis, arena);
    analysis->window = window_build(analysis, arena);
    watch_find_points(analysis->watch, analysis, arena);
}

void analysis_free(struct analysis *analysis)
{
    scan_room_free(analysis->room);
    watch_free(analysis->watch);
}

uint32_t analysis_event(const struct analysis *analysis, uint32_t i)
{
    uint32_t block = analysis->cfg->block_of[i];
    uint32_t low = analysis->first_event[block], high = analysis->first_event[block + 1];
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (analysis->events[mid].instr <= i)
            low = mid;
        else
            high = mid;
    }
    return low;
}
