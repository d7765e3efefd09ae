/* Finds, once for all walks of a function, the instructions at which a walk must stop. See
 * walk_stops.h. */
#include "lint/walk_stops.h"

#include "base/sorted.h"
#include "flow/rounds.h"
#include "lint/path_condition.h"
#include "lint/walk.h"

static void find_effects(const struct lint *lint, struct walk_stops *stops)
{
    for (uint32_t b = 0; b < lint->cfg->count; b++) {
        stops->passes[b] = true;
        for (uint32_t s = stops->first[b]; s < stops->first[b + 1]; s++) {
            uint32_t i = stops->at[s];
            stops->effects[b] |= walk_bits(lint, i);
            if (path_condition_changes(lint, i) || lint_effect(lint, i) == EFFECT_EXIT)
                stops->passes[b] = false;
        }
    }
}

/* Propagates backwards to a fixed point. */
static void find_reaches(const struct lint *lint, struct walk_stops *stops)
{
    const struct cfg *cfg = lint->cfg;
    struct rounds rounds;
    uint32_t block;
    rounds_init(&rounds, cfg->count, true);
    for (uint32_t b = 0; b < cfg->count; b++) rounds_want(&rounds, b);
    while (rounds_next(&rounds, &block)) {
        const struct block *at = &cfg->blocks[block];
        uint32_t effects = stops->effects[block];
        lint_spend(lint, at->succ_count + 1);
        for (uint32_t i = 0; i < at->succ_count; i++)
            effects |= stops->reaches[cfg->succs[at->first_succ + i]];
        if (effects == stops->reaches[block]) continue;
        stops->reaches[block] = effects;
        for (uint32_t i = 0; i < at->pred_count; i++)
            rounds_want(&rounds, cfg->preds[at->first_pred + i]);
    }
    rounds_free(&rounds);
}

/* Extends *end to the block behind the last one that the block branches to. False if the block
 * branches back to first or before it, or control ends in it. */
static bool extend_region(const struct cfg *cfg, uint32_t block, uint32_t first, uint32_t *end)
{
    const struct block *at = &cfg->blocks[block];
    for (uint32_t i = 0; i < at->succ_count; i++) {
        uint32_t succ = cfg->succs[at->first_succ + i];
        if (succ <= first) return false;
        if (succ > *end) *end = succ;
    }
    return at->succ_count;
}

/* Finds the join of a branch in code whose sides follow the branch in the text. */
static struct walk_region region_behind(const struct lint *lint, const struct walk_stops *stops,
                                        uint32_t block)
{
    enum { BLOCKS_MAX = 32 };
    const struct walk_region none = {NO_JOIN, 0};
    struct walk_region region = {block + 1, 0};
    if (lint->cfg->blocks[block].succ_count != 2) return none;
    if (stops->effects[block] & 1u << EFFECT_EXIT) return none;
    if (!extend_region(lint->cfg, block, block, &region.join)) return none;
    for (uint32_t b = block + 1; b < region.join; b++) {
        if (b - block > BLOCKS_MAX || stops->effects[b] & 1u << EFFECT_EXIT) return none;
        if (!extend_region(lint->cfg, b, block, &region.join)) return none;
        region.effects |= stops->effects[b];
    }
    for (uint32_t b = block + 1; b < region.join; b++)
        if (path_condition_tells(lint, b, region.join)) return none;
    return region;
}

void walk_stops_find(const struct lint *lint, struct walk_stops *stops)
{
    uint32_t blocks = lint->cfg->count;
    stops->at = path_condition_stops(lint)->at;
    stops->first = path_condition_stops(lint)->first;
    stops->effects = arena_alloc(lint->arena, blocks, sizeof *stops->effects);
    stops->reaches = arena_alloc(lint->arena, blocks, sizeof *stops->reaches);
    stops->passes = arena_alloc(lint->arena, blocks, sizeof *stops->passes);
    stops->leads = arena_alloc(lint->arena, blocks, sizeof *stops->leads);
    stops->skips = arena_alloc(lint->arena, 1, sizeof *stops->skips);
    find_effects(lint, stops);
    find_reaches(lint, stops);
    stops->regions = arena_alloc(lint->arena, blocks, sizeof *stops->regions);
    for (uint32_t b = 0; b < blocks; b++) stops->regions[b] = region_behind(lint, stops, b);
}

const bool *walk_stops_lead(const struct lint *lint, const struct walk_stops *stops, uint32_t to)
{
    const struct cfg *cfg = lint->cfg;
    bool **leads = &stops->leads[to];
    struct VEC(uint32_t) open = {0};
    if (*leads) return *leads;
    *leads = arena_alloc(lint->arena, cfg->count, sizeof **leads);
    lint_spend(lint, cfg->count / 8);
    (*leads)[to] = true;
    vec_push(&open, to);
    while (open.count) {
        const struct block *block = &cfg->blocks[open.at[--open.count]];
        lint_spend(lint, block->pred_count + 1);
        for (uint32_t i = 0; i < block->pred_count; i++) {
            uint32_t from = cfg->preds[block->first_pred + i];
            if (!(*leads)[from]) vec_push(&open, from);
            (*leads)[from] = true;
        }
    }
    vec_free(&open);
    return *leads;
}

const uint32_t *walk_stops_next(const struct lint *lint, const struct walk_stops *stops,
                                uint32_t interest)
{
    struct walk_skips *skips = *stops->skips;
    while (skips && skips->interest != interest) skips = skips->more;
    if (skips) return skips->next;
    uint32_t count = stops->first[lint->cfg->count];
    skips = arena_room(lint->arena, 1, sizeof *skips);
    *skips = (struct walk_skips){interest, NULL, *stops->skips};
    skips->next = arena_room(lint->arena, count + 1, sizeof *skips->next);
    lint_spend(lint, count / 8 + 1);
    skips->next[count] = count;
    for (uint32_t s = count; s-- > 0;) {
        uint32_t i = stops->at[s];
        bool stays = interest & walk_bits(lint, i) || lint_effect(lint, i) == EFFECT_EXIT;
        skips->next[s] = stays ? s : skips->next[s + 1];
    }
    *stops->skips = skips;
    return skips->next;
}

uint32_t walk_stops_behind(const struct walk_stops *stops, uint32_t block, uint32_t instr)
{
    uint32_t first = stops->first[block], end = stops->first[block + 1];
    if (first == end || stops->at[first] >= instr) return first; /* mostly from the beginning */
    return sorted_find(stops->at, first, end, instr);
}
