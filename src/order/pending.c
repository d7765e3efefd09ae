/* A walk back over the graph, each block in each state at most once. See pending.h. */
#include "order/pending.h"

#include "base/intern.h"

enum { LD_WAITED = 1, ST_WAITED = 2 };

struct stop {
    uint32_t block;
    unsigned state;
};

struct walk {
    const struct analysis *analysis;
    struct pending *pending;
    unsigned ask;
    uint32_t site, left; /* events that may still be walked over */
    struct VEC(struct stop) todo;
    struct intern entered, found; /* (state, block) and operations, as keys without a name */
};

static bool is_new(struct intern *seen, uint32_t a, uint32_t b)
{
    uint32_t count = seen->count;
    return intern_add(seen, a * 4 + b, (struct str){"", 0}) == count;
}

static bool asks_for(unsigned ask, enum effect effect, unsigned state)
{
    if (effect == EFFECT_ASYNC_LD) return ask & PENDING_LD && !(state & LD_WAITED);
    if (effect == EFFECT_ASYNC_ST) return ask & PENDING_ST && !(state & ST_WAITED);
    return effect_is_pipe(effect) && ask & PENDING_PIPE;
}

/* Nothing older can be pending behind this. */
static bool ends_at(unsigned ask, enum effect effect, unsigned state)
{
    if (effect == EFFECT_FENCE_BEFORE && ask & (PENDING_SINCE_FENCE_BEFORE | PENDING_SINCE_FENCE))
        return true;
    if (effect == EFFECT_FENCE_AFTER && ask & PENDING_SINCE_FENCE) return true;
    return !(ask & PENDING_PIPE) && (!(ask & PENDING_LD) || state & LD_WAITED) &&
           (!(ask & PENDING_ST) || state & ST_WAITED);
}

/* False where this path ends. */
static bool visit(struct walk *w, uint32_t i, unsigned *state)
{
    if (i == w->site || w->analysis->deleted[i]) return true;
    enum effect effect = analysis_effect(w->analysis, i);
    if (effect == EFFECT_CALL) {
        w->pending->hidden = REASON_CALL;
        return false;
    }
    if (asks_for(w->ask, effect, *state) && is_new(&w->found, i, 0)) vec_push(&w->pending->ops, i);
    if (!analysis_always(w->analysis, i)) return true;
    if (effect == EFFECT_WAIT_LD) *state |= LD_WAITED;
    if (effect == EFFECT_WAIT_ST) *state |= ST_WAITED;
    return !ends_at(w->ask, effect, *state);
}

/* Back from event end of a block. */
static void walk_block(struct walk *w, uint32_t block, uint32_t end, unsigned state)
{
    const struct cfg *cfg = w->analysis->cfg;
    const struct block *at = &cfg->blocks[block];
    for (uint32_t e = end; e > w->analysis->first_event[block]; e--) {
        if (!w->left) return;
        w->left--;
        if (!visit(w, w->analysis->events[e - 1], &state)) return;
    }
    if (block == 0 && !w->analysis->function->is_entry) w->pending->hidden = REASON_FUNCTION_EDGE;
    for (uint32_t n = 0; n < at->pred_count && n < w->left; n++) {
        uint32_t pred = cfg->preds[at->first_pred + n];
        if (is_new(&w->entered, pred, state)) vec_push(&w->todo, (struct stop){pred, state});
    }
}

/* Where the site's event stands. */
static uint32_t event_of(const struct analysis *analysis, uint32_t block, uint32_t site)
{
    uint32_t low = analysis->first_event[block], high = analysis->first_event[block + 1];
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (analysis->events[mid] < site)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

void pending_collect(struct pending *pending, const struct analysis *analysis, uint32_t site,
                     unsigned ask)
{
    *pending = (struct pending){0};
    struct walk w = {
        .analysis = analysis, .pending = pending, .ask = ask, .site = site, .left = PENDING_WALK};
    uint32_t block = analysis->cfg->block_of[site];
    walk_block(&w, block, event_of(analysis, block, site), 0);
    while (w.todo.count && w.left) {
        struct stop stop = w.todo.at[--w.todo.count];
        w.left--;
        walk_block(&w, stop.block, analysis->first_event[stop.block + 1], stop.state);
    }
    vec_free(&w.todo);
    intern_free(&w.entered);
    intern_free(&w.found);
}

void pending_free(struct pending *pending)
{
    vec_free(&pending->ops);
}
