/* Finds the registers on which waits and pairs depend. Registers are numbered in the order in which
 * they appear; the pass over the instructions compares only numbers. See watch.h. */
#include "order/watch.h"

#include "base/work.h"

static void watch_add_access(struct watch *watch, const struct analysis *analysis, uint32_t i,
                             enum watcher kind)
{
    const struct use *use, *end;
    analysis_uses(analysis, i, &use, &end);
    for (; use < end; use++) {
        struct watched *watched = watch_add(watch, use->reg);
        if (watched->slot[kind] == REG_NONE) watched->slot[kind] = watch->slots[kind]++;
        watch->watchers[use->reg][true] |= (uint8_t)(1u << kind);
        if (use->write) watch->watchers[use->reg][false] |= (uint8_t)(1u << kind);
    }
}

void watch_begin(const struct analysis *analysis)
{
    struct watch *watch = analysis->watch;
    if (watch->number_of) return;
    watch->number_of =
        arena_alloc(analysis->arena, analysis->function->reg_count, sizeof *watch->number_of);
    watch->watchers =
        arena_alloc(analysis->arena, analysis->function->reg_count, sizeof *watch->watchers);
    vec_push(&watch->registers, (struct watched){{REG_NONE, REG_NONE}, REG_NONE});
}

/* The watchers of an instruction because of its effect, whatever registers it has. */
static unsigned watchers_of(enum effect effect)
{
    unsigned watchers = 0;
    if (effect == EFFECT_ASYNC_LD || effect == EFFECT_WAIT_LD) watchers |= 1u << WATCH_LD;
    if (effect == EFFECT_ASYNC_ST || effect == EFFECT_WAIT_ST) watchers |= 1u << WATCH_ST;
    if (effect >= EFFECT_ASYNC_LD && effect <= EFFECT_COMMIT) watchers |= 1u << WATCH_PAIRS;
    if (effect == EFFECT_CALL) watchers |= 1u << WATCH_PAIRS;
    return watchers;
}

static void add_point(struct watch *watch, uint32_t i, unsigned watchers)
{
    for (unsigned w = 0; w < WATCHERS; w++)
        if (watchers >> w & 1) vec_push(&watch->points[w].at, i);
}

static void find_in_block(const struct analysis *analysis, const struct block *block,
                          unsigned asking)
{
    struct watch *watch = analysis->watch;
    work_spend(block->end - block->first);
    for (uint32_t i = block->first; i < block->end; i++) {
        enum effect effect = analysis_effect(analysis, i);
        unsigned watchers = effect_is_neutral(effect) ? 0 : watchers_of(effect);
        const struct use *use, *end;
        analysis_uses(analysis, i, &use, &end);
        for (; use < end; use++) watchers |= watch->watchers[use->reg][use->write];
        if (watchers & asking) add_point(watch, i, watchers & asking);
    }
}

void watch_find_points(const struct analysis *analysis, unsigned watchers)
{
    const struct cfg *cfg = analysis->cfg;
    struct watch_points *points = analysis->watch->points;
    for (unsigned w = 0; w < WATCHERS; w++)
        if (watchers >> w & 1)
            points[w].first = arena_alloc(analysis->arena, cfg->count + 1, sizeof(uint32_t));
    for (uint32_t b = 0; b < cfg->count; b++) {
        find_in_block(analysis, &cfg->blocks[b], watchers);
        for (unsigned w = 0; w < WATCHERS; w++)
            if (watchers >> w & 1) points[w].first[b + 1] = points[w].at.count;
    }
}

void watch_need(const struct analysis *analysis)
{
    struct watch *watch = analysis->watch;
    if (watch->points[WATCH_LD].first) return;
    watch_begin(analysis);
    for (uint32_t e = 0; e < analysis->events.count; e++) {
        const struct event *event = &analysis->events.at[e];
        if (event->effect == EFFECT_ASYNC_LD)
            watch_add_access(watch, analysis, event->instr, WATCH_LD);
        if (event->effect == EFFECT_ASYNC_ST)
            watch_add_access(watch, analysis, event->instr, WATCH_ST);
    }
    watch_find_points(analysis, 1u << WATCH_LD | 1u << WATCH_ST);
}

void watch_free(struct watch *watch)
{
    vec_free(&watch->registers);
    for (unsigned w = 0; w < WATCHERS; w++) vec_free(&watch->points[w].at);
}
