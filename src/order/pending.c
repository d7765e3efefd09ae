/* Which asynchronous operations may a synchronisation still have to order? A backward may-walk: an
 * operation is pending when some path from it to the site meets nothing that certainly completes
 * (or, as asked, orders) it. */
#include "order/pending.h"

enum { LD_WAITED = 1, ST_WAITED = 2 };

struct query {
    struct pending *pending;
    const struct facts *facts;
    unsigned ask;
};

static bool asks_for(const struct query *query, enum effect effect, unsigned state)
{
    if (effect == EFFECT_ASYNC_LD) return query->ask & PENDING_LD && !(state & LD_WAITED);
    if (effect == EFFECT_ASYNC_ST) return query->ask & PENDING_ST && !(state & ST_WAITED);
    return effect_is_pipe(effect) && query->ask & PENDING_PIPE;
}

static bool ends_at(const struct query *query, enum effect effect)
{
    if (effect == EFFECT_FENCE_BEFORE)
        return query->ask & (PENDING_SINCE_FENCE_BEFORE | PENDING_SINCE_FENCE);
    return effect == EFFECT_FENCE_AFTER && query->ask & PENDING_SINCE_FENCE;
}

/* With both kinds waited for and no pipe asked for, nothing older can be pending. */
static bool is_exhausted(const struct query *query, unsigned state)
{
    return !(query->ask & PENDING_PIPE) && (!(query->ask & PENDING_LD) || state & LD_WAITED) &&
           (!(query->ask & PENDING_ST) || state & ST_WAITED);
}

static enum step hide(struct query *query, enum reason reason, uint32_t at)
{
    query->pending->hidden = reason;
    query->pending->hidden_at = at;
    return STEP_DONE;
}

static enum step visit(void *context, uint32_t i, unsigned *state)
{
    struct query *query = context;
    const struct facts *facts = query->facts;
    if (i == WALK_ENTRY)
        return facts->function->is_entry ? STEP_DONE
                                         : hide(query, REASON_FUNCTION_EDGE, NO_WITNESS);
    enum effect effect = facts_effect(facts, i);
    if (effect == EFFECT_CALL) return hide(query, REASON_CALL, i);
    if (asks_for(query, effect, *state) && !marked_instr(facts, i)) {
        mark_instr(facts, i);
        vec_push(&query->pending->ops, i);
    }
    if (effect == EFFECT_WAIT_LD || effect == EFFECT_WAIT_ST) query->pending->wait = i;
    if (!facts_always(facts, i)) return STEP_ON;
    bool completes = !(query->ask & PENDING_EVEN_WAITED);
    if (effect == EFFECT_WAIT_LD && completes) *state |= LD_WAITED;
    if (effect == EFFECT_WAIT_ST && completes) *state |= ST_WAITED;
    return ends_at(query, effect) || is_exhausted(query, *state) ? STEP_DONE : STEP_ON;
}

void pending_collect(struct pending *pending, const struct facts *facts, uint32_t site,
                     unsigned ask)
{
    *pending = (struct pending){.wait = NO_WITNESS, .hidden_at = NO_WITNESS};
    struct query query = {pending, facts, ask};
    marks_clear(facts);
    walk_backward(facts, site, 0, visit, &query);
}

void pending_free(struct pending *pending)
{
    vec_free(&pending->ops);
}

uint32_t pending_untracked(const struct pending *pending, const struct facts *facts)
{
    for (uint32_t i = 0; i < pending->ops.count; i++) {
        enum effect effect = facts_effect(facts, pending->ops.at[i]);
        if (effect == EFFECT_ASYNC_LD || effect == EFFECT_ASYNC_ST) return pending->ops.at[i];
    }
    return pending->wait;
}

enum { MEANT_COMMITTED = 1, MEANT_WAITED = 2 };

struct meant {
    const struct facts *facts;
    enum effect issue, wait; /* of the other kind */
    uint32_t found;
};

static enum step visit_meant(void *context, uint32_t i, unsigned *state)
{
    struct meant *meant = context;
    if (i == WALK_ENTRY) return STEP_DONE;
    enum effect effect = facts_effect(meant->facts, i);
    if ((effect_is_pipe(effect) && !(*state & MEANT_COMMITTED)) ||
        (effect == meant->issue && !(*state & MEANT_WAITED))) {
        meant->found = i;
        return STEP_STOP;
    }
    if (!facts_always(meant->facts, i)) return STEP_ON;
    if (effect == EFFECT_COMMIT) *state |= MEANT_COMMITTED;
    if (effect == meant->wait) *state |= MEANT_WAITED;
    return *state == (MEANT_COMMITTED | MEANT_WAITED) ? STEP_DONE : STEP_ON;
}

uint32_t pending_meant(const struct facts *facts, uint32_t site)
{
    bool at_ld = facts_effect(facts, site) == EFFECT_WAIT_LD;
    struct meant meant = {facts, at_ld ? EFFECT_ASYNC_ST : EFFECT_ASYNC_LD,
                          at_ld ? EFFECT_WAIT_ST : EFFECT_WAIT_LD, NO_WITNESS};
    walk_backward(facts, site, 0, visit_meant, &meant);
    return meant.found;
}
