/* Translates between sites and their copies: an instruction has one copy in each copy of its block.
 * See wide.h. */
#include "engine/wide.h"

#include "flow/unfold.h"

struct wide {
    const struct cfg *cfg; /* of the function itself */
    struct unfold unfold;
    struct analysis analysis;
};

bool wide_asks(const struct rule *rule)
{
    bool of_memory = rule == &rule_proxy_overtaken; /* accesses to memory are not copied */
    return !rule->looks_back && rule != &rule_pair_fence && !of_memory;
}

/* Whether control can pass from one block to the other without taking a branch. */
static bool blocks_fall_through(const struct cfg *cfg, uint32_t from, uint32_t to)
{
    for (; from < to; from++) {
        const struct block *block = &cfg->blocks[from];
        bool falls = false;
        for (uint32_t n = 0; n < block->succ_count; n++)
            falls |= cfg->succs[block->first_succ + n] == from + 1;
        if (!falls) return false;
    }
    return true;
}

bool wide_may_help(const struct analysis *analysis, const struct rule *rule, uint32_t site,
                   struct verdict said)
{
    const uint32_t *block_of = analysis->cfg->block_of;
    bool elsewhere = said.reason == REASON_GUARDED || said.reason == REASON_UNREACHABLE ||
                     said.reason == REASON_PTXAS_ORDER;
    if (!wide_asks(rule) || elsewhere) return false;
    if (said.witness == NO_WITNESS || said.witness <= site) return true;
    uint32_t last = analysis_event(analysis, said.witness);
    for (uint32_t e = analysis_event(analysis, site) + 1; e < last; e++) {
        const struct event *event = &analysis->events.at[e];
        bool answers = event->effect == analysis_effect(analysis, site) ||
                       event->effect == EFFECT_COMMIT || event->effect == EFFECT_EXIT;
        if (answers && !analysis->deleted[event->instr]) return true;
    }
    return !blocks_fall_through(analysis->cfg, block_of[site], block_of[said.witness]);
}

struct wide *wide_build(const struct analysis *analysis, struct arena *arena)
{
    struct agree agree;
    struct wide *wide = arena_alloc(arena, 1, sizeof *wide);
    const struct source *source = analysis->view->source;
    wide->cfg = analysis->cfg;
    if (!agree_find(&agree, analysis->cfg, source, arena)) return NULL;
    if (!unfold_build(&wide->unfold, analysis->cfg, &agree, arena)) return NULL;
    analysis_init(&wide->analysis, analysis->view, &wide->unfold.function, &wide->unfold.cfg,
                  analysis->assumptions, arena);
    wide->analysis.apart = analysis->apart;
    for (uint32_t i = 0; i < wide->unfold.function.count; i++)
        wide->analysis.deleted[i] = analysis->deleted[wide->unfold.origin[i]];
    return wide;
}

void wide_free(struct wide *wide)
{
    if (wide) analysis_free(&wide->analysis);
}

/* Returns the copy of an event in this block. */
static uint32_t event_copy(const struct wide *wide, uint32_t i, uint32_t block)
{
    return wide->unfold.cfg.blocks[block].first + wide->unfold.rank[i];
}

/* Adds the verdict on one copy to that on the site, unless another copy was declined already. */
static void join_verdict(const struct wide *wide, struct verdict *verdict, struct verdict said)
{
    if (said.witness < wide->unfold.function.count)
        said.witness = wide->unfold.origin[said.witness];
    said.assumptions |= verdict->assumptions;
    if (verdict->reason == REASON_NONE) *verdict = said;
}

void wide_decide(const struct wide *wide, const struct rule *rule, const uint32_t *sites,
                 uint32_t count, struct verdict *verdicts)
{
    struct VEC(uint32_t) copies = {0}, site_of = {0};
    const struct cfg *cfg = wide->cfg;
    for (uint32_t k = 0, next; k < count; k = next) {
        uint32_t block = cfg->block_of[sites[k]];
        for (next = k; next < count && cfg->block_of[sites[next]] == block;) next++;
        const uint32_t *first = &wide->unfold.first_copy[block];
        for (uint32_t n = first[0]; n < first[1]; n++)
            for (uint32_t s = k; s < next; s++) {
                vec_push(&copies, event_copy(wide, sites[s], n));
                vec_push(&site_of, s);
            }
        for (uint32_t s = k; s < next && first[0] == first[1]; s++)
            rule_decline(&verdicts[s], REASON_UNREACHABLE, NO_WITNESS);
    }
    struct verdict *said = mem_zalloc(copies.count + 1, sizeof *said);
    for (uint32_t c = 0; c < copies.count; c++) said[c].witness = NO_WITNESS;
    if (copies.count) rule_decide(rule, &wide->analysis, copies.at, copies.count, false, said);
    for (uint32_t c = 0; c < copies.count; c++)
        join_verdict(wide, &verdicts[site_of.at[c]], said[c]);
    mem_free(said);
    vec_free(&copies);
    vec_free(&site_of);
}

void wide_mark(const struct wide *wide, uint32_t i, bool deleted)
{
    const uint32_t *first = &wide->unfold.first_copy[wide->cfg->block_of[i]];
    for (uint32_t n = first[0]; n < first[1]; n++)
        wide->analysis.deleted[event_copy(wide, i, n)] = deleted;
}
