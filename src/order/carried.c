/* Follows the paths from each wait, up to a read of the last load. See carried.h. */
#include "order/carried.h"

#include "base/mem.h"
#include "base/work.h"
#include "order/hold.h"

enum { STATES_MAX = 256 };
#define SOME_LOAD UINT32_MAX /* which one is not known */

struct carried_state {
    uint32_t block, load;
    bool waited; /* a kept wait has followed: a later load is not of the same group */
};

struct carried {
    const struct analysis *analysis;
    const uint32_t *sites;
    uint32_t count;
    const struct verdict *verdicts;
    enum effect issue, wait;                 /* of the sites' kind: loads or stores */
    bool idle;                               /* see carried_decline */
    uint32_t noted, least, most;             /* the registers of the load noted */
    uint32_t *number;                        /* by block: see number_blocks; NULL: not yet */
    struct VEC(struct carried_state) states; /* found; those from `next` on are not passed yet */
    uint32_t *fates;                         /* by site: see carried_meet */
    struct VEC(uint32_t) met;                /* sites whose fate the current search decides */
    uint32_t declined;                       /* the number of sites declined so far */
};

enum fate { FATE_UNKNOWN, FATE_CARRIED, FATE_NOT_CARRIED /* + carried.declined */ };

/* What a path does at the end of the instructions that it passes. */
enum passage { PASSAGE_ENDS, PASSAGE_GOES_ON, PASSAGE_LEADS_BACK };

/* Notes which registers the load may write, since most instructions read none of them. */
static void note_load(struct carried *c, uint32_t load)
{
    const struct use *use, *end;
    c->noted = load;
    c->least = UINT32_MAX;
    c->most = 0;
    analysis_uses(c->analysis, load, &use, &end);
    for (; use < end; use++) {
        if (!use->write) continue;
        if (use->reg < c->least) c->least = use->reg;
        if (use->reg > c->most) c->most = use->reg;
    }
}

/* The instruction certainly reads a register that the load writes. */
static bool reads_load(struct carried *c, uint32_t i, uint32_t load)
{
    const struct use *use, *end, *first, *last;
    if (load == SOME_LOAD) return false;
    if (load != c->noted) note_load(c, load);
    if (c->least > c->most) return false; /* a store */
    analysis_uses(c->analysis, i, &use, &end);
    analysis_uses(c->analysis, load, &first, &last);
    for (; use < end; use++) {
        if (use->write || use->reg < c->least || use->reg > c->most) continue;
        for (const struct use *loaded = first; loaded < last; loaded++)
            if (loaded->write && loaded->reg == use->reg) return analysis_always(c->analysis, i);
    }
    return false;
}

static bool is_kept_wait(const struct carried *c, uint32_t i)
{
    const struct analysis *analysis = c->analysis;
    if (analysis_effect(analysis, i) != c->wait || !analysis_always(analysis, i)) return false;
    uint32_t site = site_find(c->sites, c->count, i);
    return !analysis->deleted[i] && (site == NO_WITNESS || c->verdicts[site].reason != REASON_NONE);
}

/* Comes to a removed site. If the last load is in its block, all paths come to it in this state, so
 * that an earlier search may have decided what follows. A site that was declined since may lead
 * others back, but ends no way back. */
static enum passage carried_meet(struct carried *c, uint32_t site,
                                 const struct carried_state *state)
{
    const struct cfg *cfg = c->analysis->cfg;
    if (site == NO_WITNESS || state->load == SOME_LOAD ||
        cfg->block_of[state->load] != cfg->block_of[c->sites[site]])
        return PASSAGE_GOES_ON;
    if (c->fates[site] == FATE_CARRIED) return PASSAGE_LEADS_BACK;
    if (c->fates[site] == FATE_NOT_CARRIED + c->declined) return PASSAGE_ENDS;
    vec_push(&c->met, site);
    return PASSAGE_GOES_ON;
}

/* Passes the instructions [i, end) of a block. */
static enum passage carried_pass(struct carried *c, uint32_t i, uint32_t end,
                                 struct carried_state *state)
{
    uint32_t from = i;
    enum passage passage = PASSAGE_GOES_ON;
    for (; i < end && passage == PASSAGE_GOES_ON; i++) {
        enum effect effect = analysis_effect(c->analysis, i);
        bool issues = effect == c->issue;
        if (reads_load(c, i, state->load)) passage = PASSAGE_ENDS;
        if (state->waited && (issues || settles_waited(analysis_instr(c->analysis, i)->opcode)) &&
            analysis_always(c->analysis, i))
            passage = PASSAGE_ENDS;
        if (passage == PASSAGE_ENDS) break;
        if (issues && !state->waited) state->load = analysis_always(c->analysis, i) ? i : SOME_LOAD;
        if (effect != c->wait) continue;
        if (is_kept_wait(c, i))
            state->waited = true;
        else
            passage = carried_meet(c, site_find(c->sites, c->count, i), state);
    }
    work_spend(i - from);
    return passage;
}

static void carried_find(struct carried *c, struct carried_state state)
{
    for (uint32_t n = 0; n < c->states.count; n++) {
        const struct carried_state *old = &c->states.at[n];
        if (old->block == state.block && old->load == state.load && old->waited == state.waited)
            return;
    }
    vec_push(&c->states, state);
}

/* Numbers the blocks in reverse postorder: an edge to the same or a lower number closes a loop,
 * whatever the order of the blocks in the text. */
static void number_blocks(struct carried *c)
{
    const struct cfg *cfg = c->analysis->cfg;
    uint32_t *open = mem_zalloc(cfg->count, sizeof *open), depth = 1, left = cfg->count;
    uint32_t *passed = mem_zalloc(cfg->count, sizeof *passed);
    c->number = mem_zalloc(cfg->count, sizeof *c->number);
    for (uint32_t b = 0; b < cfg->count; b++) c->number[b] = UINT32_MAX; /* no path leads to it */
    work_spend(cfg->count);
    open[0] = 0;
    passed[0] = 1;
    while (depth) {
        const struct block *block = &cfg->blocks[open[depth - 1]];
        uint32_t n = passed[open[depth - 1]]++ - 1;
        if (n == block->succ_count) {
            c->number[open[--depth]] = --left;
            continue;
        }
        uint32_t next = cfg->succs[block->first_succ + n];
        if (passed[next]) continue;
        passed[next] = 1;
        open[depth++] = next;
    }
    mem_free(passed);
    mem_free(open);
}

/* Adds what follows the block. False if that is the head of a loop that contains the load. */
static bool carried_leave(struct carried *c, struct carried_state state)
{
    const struct cfg *cfg = c->analysis->cfg;
    const struct block *block = &cfg->blocks[state.block];
    for (uint32_t n = 0; n < block->succ_count; n++) {
        uint32_t next = cfg->succs[block->first_succ + n];
        bool back = c->number[next] <= c->number[state.block];
        bool of_load =
            state.load == SOME_LOAD || c->number[next] <= c->number[cfg->block_of[state.load]];
        if (state.waited && back && of_load) return false;
        carried_find(c, (struct carried_state){next, state.load, state.waited});
    }
    return true;
}

/* Sets the last load in front of the site, and whether a kept wait is between. False if the load is
 * complete: it is read, or a barrier or another wait is behind that wait. */
static bool load_before(struct carried *c, uint32_t site, struct carried_state *state)
{
    const struct analysis *analysis = c->analysis;
    uint32_t first = analysis->cfg->blocks[state->block].first, i = site;
    bool settled = false;
    while (i > first && analysis_effect(analysis, i - 1) != c->issue) {
        bool waits = is_kept_wait(c, --i);
        if (waits && (settled || state->waited)) return false;
        state->waited |= waits;
        settled |=
            analysis_always(analysis, i) && settles_waited(analysis_instr(analysis, i)->opcode);
    }
    if (i == first && c->idle && !state->waited) return false;
    state->load = i > first && analysis_always(analysis, i - 1) ? i - 1 : SOME_LOAD;
    for (; i < site; i++)
        if (reads_load(c, i, state->load)) return false;
    return true;
}

/* A path leads from the instruction i, in the state, to the head of a loop. *line: how many sites
 * are met in the block of i, so that what is found holds for them too. */
static bool carried_search(struct carried *c, uint32_t i, struct carried_state state,
                           uint32_t *line)
{
    const struct cfg *cfg = c->analysis->cfg;
    enum passage passage = carried_pass(c, i, cfg->blocks[state.block].end, &state);
    *line = c->met.count;
    c->states.count = 0;
    for (uint32_t n = 0;; n++) {
        if (passage == PASSAGE_LEADS_BACK) return true;
        if (passage == PASSAGE_GOES_ON && !carried_leave(c, state)) return true;
        if (n == c->states.count) return false;
        if (n == STATES_MAX) return true;
        state = c->states.at[n];
        const struct block *block = &cfg->blocks[state.block];
        passage = carried_pass(c, block->first, block->end, &state);
    }
}

/* A path leads from the site to the head of a loop. */
static bool is_carried(struct carried *c, uint32_t site)
{
    struct carried_state state = {.block = c->analysis->cfg->block_of[c->sites[site]]};
    uint32_t line;
    if (!load_before(c, c->sites[site], &state)) return false;
    c->met.count = 0;
    enum passage known = carried_meet(c, site, &state);
    if (known != PASSAGE_GOES_ON) return known == PASSAGE_LEADS_BACK;
    if (!c->number) number_blocks(c);
    bool carried = carried_search(c, c->sites[site] + 1, state, &line);
    for (uint32_t n = 0; n < (carried ? line : c->met.count); n++)
        c->fates[c->met.at[n]] = carried ? FATE_CARRIED : FATE_NOT_CARRIED + c->declined;
    return carried;
}

static bool has_way_back(const struct cfg *cfg)
{
    for (uint32_t b = 0; b < cfg->count; b++)
        for (uint32_t n = 0; n < cfg->blocks[b].succ_count; n++)
            if (cfg->succs[cfg->blocks[b].first_succ + n] <= b) return true;
    return false;
}

void carried_decline(const struct analysis *analysis, bool idle, const uint32_t *sites,
                     uint32_t count, struct verdict *verdicts)
{
    struct carried c = {.analysis = analysis,
                        .sites = sites,
                        .count = count,
                        .verdicts = verdicts,
                        .noted = SOME_LOAD};
    c.idle = idle;
    c.wait = analysis_effect(analysis, sites[0]);
    c.issue = c.wait == EFFECT_WAIT_LD ? EFFECT_ASYNC_LD : EFFECT_ASYNC_ST;
    if (!has_way_back(analysis->cfg)) return;
    c.fates = mem_zalloc(count, sizeof *c.fates);
    for (uint32_t k = 0; k < count; k++) {
        struct verdict *verdict = &verdicts[k];
        if (verdict->reason != REASON_NONE || !is_carried(&c, k)) continue;
        if (analysis->assumptions & ASSUME_PTXAS_FOLLOWS_ISA) {
            verdict->assumptions |= ASSUME_PTXAS_FOLLOWS_ISA;
            continue;
        }
        *verdict = (struct verdict){REASON_PTXAS_ORDER, NO_WITNESS, verdict->assumptions, false};
        c.declined++;
    }
    vec_free(&c.met);
    vec_free(&c.states);
    mem_free(c.fates);
    mem_free(c.number);
}
