/* Searches backward over the graph, and visits each block at most once in each state. See
 * outstanding.h. */
#include "order/outstanding.h"

#include "base/intern.h"

enum { LD_WAITED = 1, ST_WAITED = 2 };

struct stop {
    uint32_t block;
    unsigned state;
};

struct search {
    const struct analysis *analysis;
    struct outstanding *outstanding;
    unsigned ask;
    uint32_t site, left; /* left: the number of events that may still be visited */
    struct VEC(struct stop) todo;
    struct intern entered, found; /* the pairs (state, block) that were entered, and the operations
                                     that were found; keys of intern without a name */
};

static bool is_newly_seen(struct intern *seen, uint32_t a, uint32_t b)
{
    uint32_t count = seen->count;
    return intern_add(seen, a * 4 + b, (struct str){"", 0}) == count;
}

static bool asks_for(unsigned ask, enum effect effect, unsigned state)
{
    if (effect == EFFECT_ASYNC_LD) return ask & OUTSTANDING_LD && !(state & LD_WAITED);
    if (effect == EFFECT_ASYNC_ST) return ask & OUTSTANDING_ST && !(state & ST_WAITED);
    return effect_is_pipe(effect) && ask & OUTSTANDING_PIPE;
}

/* No operation before this instruction can be outstanding. */
static bool search_ends_at(unsigned ask, enum effect effect, unsigned state)
{
    if (effect == EFFECT_FENCE_BEFORE &&
        ask & (OUTSTANDING_SINCE_FENCE_BEFORE | OUTSTANDING_SINCE_FENCE))
        return true;
    if (effect == EFFECT_FENCE_AFTER && ask & OUTSTANDING_SINCE_FENCE) return true;
    return !(ask & OUTSTANDING_PIPE) && (!(ask & OUTSTANDING_LD) || state & LD_WAITED) &&
           (!(ask & OUTSTANDING_ST) || state & ST_WAITED);
}

/* False if the path ends. */
static bool outstanding_visit(struct search *s, uint32_t i, unsigned *state)
{
    if (i == s->site || s->analysis->deleted[i]) return true;
    enum effect effect = analysis_effect(s->analysis, i);
    if (effect == EFFECT_CALL) {
        s->outstanding->hidden = REASON_CALL;
        return false;
    }
    if (asks_for(s->ask, effect, *state) && is_newly_seen(&s->found, i, 0))
        vec_push(&s->outstanding->ops, i);
    if (!analysis_always(s->analysis, i)) return true;
    if (effect == EFFECT_WAIT_LD) *state |= LD_WAITED;
    if (effect == EFFECT_WAIT_ST) *state |= ST_WAITED;
    return !search_ends_at(s->ask, effect, *state);
}

/* Searches a block backward from event number `end`. */
static void search_block(struct search *s, uint32_t block, uint32_t end, unsigned state)
{
    const struct cfg *cfg = s->analysis->cfg;
    const struct block *at = &cfg->blocks[block];
    for (uint32_t e = end; e > s->analysis->first_event[block]; e--) {
        if (!s->left) return;
        s->left--;
        if (!outstanding_visit(s, s->analysis->events.at[e - 1].instr, &state)) return;
    }
    if (block == 0 && !s->analysis->function->is_entry)
        s->outstanding->hidden = REASON_FUNCTION_EDGE;
    for (uint32_t n = 0; n < at->pred_count && n < s->left; n++) {
        uint32_t pred = cfg->preds[at->first_pred + n];
        if (is_newly_seen(&s->entered, pred, state)) vec_push(&s->todo, (struct stop){pred, state});
    }
}

void outstanding_collect(struct outstanding *outstanding, const struct analysis *analysis,
                         uint32_t site, unsigned ask)
{
    *outstanding = (struct outstanding){0};
    struct search s = {.analysis = analysis,
                       .outstanding = outstanding,
                       .ask = ask,
                       .site = site,
                       .left = OUTSTANDING_REACH};
    uint32_t block = analysis->cfg->block_of[site];
    search_block(&s, block, analysis_event(analysis, site), 0);
    while (s.todo.count && s.left) {
        struct stop stop = s.todo.at[--s.todo.count];
        s.left--;
        search_block(&s, stop.block, analysis->first_event[stop.block + 1], stop.state);
    }
    vec_free(&s.todo);
    intern_free(&s.entered);
    intern_free(&s.found);
}

void outstanding_free(struct outstanding *outstanding)
{
    vec_free(&outstanding->ops);
}
