/* Translates between sites and their copies: an instruction has one copy in each copy of its block.
 * See wide.h. */
#include "engine/wide.h"

#include "base/mem.h"
#include "base/work.h"
#include "flow/unfold.h"
#include "order/hold.h"
#include "order/scan.h"

/* The most sites for which a path is searched, and the most steps of a search for each block. */
enum { WALKS_MAX = 8, STEPS_A_BLOCK = 4 };

struct wide {
    const struct cfg *cfg; /* of the function itself */
    struct agree agree;
    struct cfg certain; /* cfg without the edges that are not always possible */
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

/* ---- whether it may help ---- */

/* Each copy of a block has the edges to copies of its successors in this graph. */
static void leave_out_decided(struct wide *wide, struct arena *arena)
{
    const struct cfg *cfg = wide->cfg;
    struct cfg *certain = &wide->certain;
    *certain = *cfg;
    certain->blocks = arena_room(arena, cfg->count, sizeof *certain->blocks);
    memcpy(certain->blocks, cfg->blocks, cfg->count * sizeof *certain->blocks);
    for (uint32_t b = 0; b < cfg->count; b++)
        if (wide->agree.decided[b]) certain->blocks[b].succ_count = 0;
    cfg_find_preds(certain, arena);
    work_spend(cfg->count);
}

struct wide *wide_find(const struct analysis *analysis, struct arena *arena)
{
    struct wide *wide = arena_alloc(arena, 1, sizeof *wide);
    wide->cfg = analysis->cfg;
    if (!agree_find(&wide->agree, wide->cfg, analysis->view->source, arena)) return NULL;
    leave_out_decided(wide, arena);
    return wide;
}

/* The table with which the rule looks forward from the site: wait-covered has one for loads and one
 * for stores. None of them has states. */
static const struct cover_table *table_ahead(const struct analysis *analysis,
                                             const struct rule *rule, uint32_t site)
{
    return rule->asks[analysis_effect(analysis, site) == EFFECT_WAIT_ST];
}

/* Whether the instruction, at which the table stops, stops the rule. If the rule keeps a wait for
 * another reason than an operation, it found columns in flight to be apart. */
static bool stops_certainly(const struct analysis *analysis, struct wide_site site, uint32_t at)
{
    enum effect effect = analysis_effect(analysis, site.instr),
                other = analysis_effect(analysis, at);
    bool waits = effect == EFFECT_WAIT_LD || effect == EFFECT_WAIT_ST;
    bool access = other == EFFECT_ASYNC_LD || other == EFFECT_ASYNC_ST;
    return !waits || !access || site.reason == REASON_ASYNC_OP;
}

/* Removes the sites that the rule declines because of a path that is always possible. A guarded
 * site has another question. */
static void remove_certain(const struct wide *wide, const struct analysis *analysis,
                           const struct rule *rule, struct wide_site *sites, uint32_t *count)
{
    struct analysis certain = *analysis;
    uint32_t *at = mem_alloc(*count * sizeof *at), kept = 0;
    struct scan_answer *answers = mem_zalloc(*count, sizeof *answers);
    struct verdict *open = mem_zalloc(*count, sizeof *open);
    certain.cfg = &wide->certain;
    for (uint32_t k = 0; k < *count; k++) at[k] = sites[k].instr;
    scan_run(&certain, table_ahead(analysis, rule, at[0]), at, *count, 0, open, answers);
    for (uint32_t k = 0; k < *count; k++) {
        bool stops = answers[k].found == SCAN_STOP && analysis_always(analysis, at[k]) &&
                     stops_certainly(analysis, sites[k], answers[k].verdict.witness);
        if (!stops) sites[kept++] = sites[k];
    }
    *count = kept;
    mem_free(open);
    mem_free(answers);
    mem_free(at);
}

/* Whether the removal of the site alone loses an order on a path that is always possible. */
static bool loses_order(const struct wide *wide, const struct analysis *analysis, uint32_t site)
{
    struct analysis certain = *analysis;
    struct verdict verdict = {REASON_NONE, NO_WITNESS, 0, false};
    certain.cfg = &wide->certain;
    hold_decline(&certain, &site, 1, &verdict);
    return verdict.reason == REASON_PTXAS_ORDER;
}

/* A path to a block. */
struct step {
    uint32_t block;
    bool behind; /* it has passed the site */
    struct known known;
};

struct walk {
    const struct wide *wide;
    const struct analysis *analysis;
    const struct cover_table *table;
    struct wide_site site;
    struct VEC(struct step) todo;
    struct known *latest[2]; /* by behind and block: of the step that was added last */
    bool *met[2];            /* by behind and block: there was one */
    bool *leads;             /* by block: a path leads to the site */
};

static void add_step(struct walk *w, struct step step)
{
    struct known *latest = &w->latest[step.behind][step.block];
    bool *met = &w->met[step.behind][step.block];
    if (!step.behind && !w->leads[step.block]) return;
    if (*met && latest->yes == step.known.yes && latest->no == step.known.no) return;
    *latest = step.known;
    *met = true;
    vec_push(&w->todo, step);
}

/* Passes the block. Returns whether the path continues; *stopped: the rule stops on it. */
static bool pass_step(const struct walk *w, struct step *step, bool *stopped)
{
    const struct analysis *analysis = w->analysis;
    uint32_t e = analysis->first_event[step->block], end = analysis->first_event[step->block + 1];
    if (!step->behind) {
        if (analysis->cfg->block_of[w->site.instr] != step->block) return true;
        e = analysis_event(analysis, w->site.instr) + 1;
        step->behind = true;
    }
    work_spend(end - e + 1);
    for (; e < end; e++) {
        uint32_t i = analysis->events.at[e].instr;
        enum scan_found found = scan_event(analysis, w->table, i);
        if (found == SCAN_NOTHING) continue;
        *stopped = found == SCAN_STOP && stops_certainly(analysis, w->site, i);
        return false;
    }
    return true;
}

/* Whether a walk finds a path from the entry, past the site, to an instruction that stops the rule,
 * which no two branches exclude. Some copy of the site has that path. False if it is not found in
 * time proportional to the size of the function. */
static bool finds_stop(struct walk *w)
{
    const struct cfg *cfg = w->analysis->cfg;
    bool stopped = false;
    w->todo.count = 0;
    for (int behind = 0; behind < 2; behind++)
        memset(w->met[behind], false, cfg->count * sizeof *w->met[behind]);
    memset(w->leads, false, cfg->count * sizeof *w->leads);
    cfg_mark_leading(cfg, cfg->block_of[w->site.instr], w->leads);
    add_step(w, (struct step){.block = 0});
    for (uint32_t n = 0; w->todo.count && !stopped && n < cfg->count * STEPS_A_BLOCK; n++) {
        struct step step = w->todo.at[--w->todo.count];
        if (!pass_step(w, &step, &stopped)) continue;
        const struct block *block = &cfg->blocks[step.block];
        for (uint32_t s = block->succ_count; s-- > 0;) {
            struct step next = {cfg->succs[block->first_succ + s], step.behind, step.known};
            if (agree_take_edge(&w->wide->agree, cfg, step.block, s, &next.known))
                add_step(w, next);
        }
    }
    return stopped;
}

static void walk_init(struct walk *w, const struct wide *wide, const struct analysis *analysis,
                      const struct cover_table *table)
{
    uint32_t blocks = wide->cfg->count;
    *w = (struct walk){.wide = wide, .analysis = analysis, .table = table};
    for (int behind = 0; behind < 2; behind++) {
        w->latest[behind] = mem_alloc(blocks * sizeof *w->latest[behind]);
        w->met[behind] = mem_alloc(blocks * sizeof *w->met[behind]);
    }
    w->leads = mem_alloc(blocks * sizeof *w->leads);
}

static void walk_free(struct walk *w)
{
    for (int behind = 0; behind < 2; behind++) {
        mem_free(w->latest[behind]);
        mem_free(w->met[behind]);
    }
    mem_free(w->leads);
    vec_free(&w->todo);
}

bool wide_may_help_any(const struct wide *wide, const struct analysis *analysis,
                       const struct rule *rule, struct wide_site *sites, uint32_t count)
{
    remove_certain(wide, analysis, rule, sites, &count);
    if (!count || count > WALKS_MAX) return count;
    struct walk w;
    walk_init(&w, wide, analysis, table_ahead(analysis, rule, sites[0].instr));
    bool any = false;
    for (uint32_t k = 0; k < count && !any; k++) {
        w.site = sites[k];
        bool lost = w.site.reason == REASON_PTXAS_ORDER;
        any = !analysis_always(analysis, w.site.instr) ||
              !(lost ? loses_order(wide, analysis, w.site.instr) : finds_stop(&w));
    }
    walk_free(&w);
    return any;
}

/* ---- the graph ---- */

bool wide_build(struct wide *wide, const struct analysis *analysis, struct arena *arena)
{
    if (!unfold_build(&wide->unfold, wide->cfg, &wide->agree, arena)) return false;
    analysis_init(&wide->analysis, analysis->view, &wide->unfold.function, &wide->unfold.cfg,
                  analysis->assumptions, arena);
    wide->analysis.apart = analysis->apart;
    wide->analysis.by_store = analysis->by_store;
    for (uint32_t i = 0; i < wide->unfold.function.count; i++)
        wide->analysis.deleted[i] = analysis->deleted[wide->unfold.origin[i]];
    return true;
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
