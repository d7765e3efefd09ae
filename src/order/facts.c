/* Which instructions may order anything? */
#include "order/facts.h"

#include "order/window.h"

void facts_init(struct facts *facts, const struct view *view, const struct function *function,
                const struct cfg *cfg, uint32_t assumptions, struct arena *arena)
{
    *facts = (struct facts){view, function, cfg, assumptions, NULL, NULL, NULL, NULL};
    facts->deleted = arena_alloc(arena, function->count, sizeof *facts->deleted);
    facts->first_event = arena_alloc(arena, cfg->count + 1, sizeof *facts->first_event);
    uint32_t count = 0;
    for (uint32_t i = 0; i < function->count; i++)
        count += !effect_is_neutral(function->instrs[i].opcode->effect);
    facts->events = arena_alloc(arena, count, sizeof *facts->events);
    count = 0;
    for (uint32_t b = 0; b < cfg->count; b++) {
        facts->first_event[b] = count;
        for (uint32_t i = cfg->blocks[b].first; i < cfg->blocks[b].end; i++)
            if (!effect_is_neutral(function->instrs[i].opcode->effect)) facts->events[count++] = i;
    }
    facts->first_event[cfg->count] = count;
    facts->window = window_build(facts, arena);
}
