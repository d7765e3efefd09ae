/* Decides whether the warp that frees tensor memory learns that another warp has completed its
 * loads. See dealloc_told.h. */
#include "lint/dealloc_told.h"

#include "lint/walk.h"

struct asked {
    struct lint *lint;
    const struct lint_code *code;
    uint32_t dealloc, user, but; /* but: NO_INSTR, or an mma after which signals do not count */
    bool *told, *knows; /* by handover: a signal, a wait after which the user is complete */
    bool opaque;        /* a call may signal any thread */
};

static void find_own_signals(struct asked *a)
{
    const struct handovers *all = a->lint->handovers;
    lint_spend(a->lint, all->count);
    for (uint32_t s = 0; s < all->count; s++) {
        const struct handover *h = &all->at[s];
        a->told[s] = h->signals && handover_reaches(a->lint, a->user, h->instr);
        a->knows[s] = false;
        a->opaque |= h->channel == CHANNEL_UNKNOWN;
    }
}

static bool hears(const struct asked *a, uint32_t wait)
{
    const struct handover_list *signals = handover_signals(a->lint, wait);
    for (uint32_t s = 0; s < signals->count; s++)
        if (a->told[signals->at[s]]) return true;
    return false;
}

static bool is_behind_news(const struct asked *a, const struct handover *signal)
{
    const struct handovers *all = a->lint->handovers;
    if (a->but != NO_INSTR && handover_reaches(a->lint, a->but, signal->instr)) return false;
    for (uint32_t w = 0; w < all->count; w++)
        if (a->knows[w] &&
            (&all->at[w] == signal || handover_reaches(a->lint, all->at[w].instr, signal->instr)))
            return true;
    return false;
}

static void spread_what_is_told(struct asked *a)
{
    const struct handovers *all = a->lint->handovers;
    bool more = true;
    find_own_signals(a);
    while (more) {
        more = false;
        lint_spend(a->lint, all->count);
        for (uint32_t i = 0; i < all->count; i++) {
            const struct handover *h = &all->at[i];
            if (h->waits && !a->knows[i] && hears(a, i)) a->knows[i] = more = true;
            if (h->signals && !a->told[i] && is_behind_news(a, h)) a->told[i] = more = true;
        }
    }
}

static bool may_know(const struct asked *a)
{
    const struct handovers *all = a->lint->handovers;
    for (uint32_t w = 0; w < all->count; w++)
        if (a->knows[w] && handover_reaches(a->lint, all->at[w].instr, a->dealloc)) return true;
    return false;
}

/* ---- from the mma ---- */

static enum walk_does look_for_dealloc(void *context, const struct lint *lint, uint32_t instr,
                                       unsigned *state)
{
    const struct asked *a = context;
    (void)state;
    if (instr == a->dealloc) return WALK_FOUND;
    const struct handover *h = handover_at(lint, instr);
    return h && a->knows[h - lint->handovers->at] ? WALK_END : WALK_ON;
}

/* The user may have waited for a commit after the mma. */
static bool user_awaits_mma(const struct asked *a, const struct tensor_op *mma)
{
    const struct handovers *all = a->lint->handovers;
    for (uint32_t c = 0; c < all->count; c++) {
        const struct barrier_use *use = all->at[c].use;
        if (!use || use->kind != BARRIER_COMMIT) continue;
        if (!handover_reaches(a->lint, mma->instr, use->instr)) continue;
        const struct handover_list *waits = handover_waits(a->lint, c);
        for (uint32_t w = 0; w < waits->count; w++)
            if (handover_reaches(a->lint, all->at[waits->at[w]].instr, a->user)) return true;
    }
    return false;
}

static bool user_loads_result(const struct asked *a, const struct tensor_op *mma)
{
    const struct tensor_op *user = handover_op(a->lint, a->user);
    return lint_effect(a->lint, mma->instr) == EFFECT_ASYNC_MMA &&
           handover_likely_conflict(a->lint, mma, user) &&
           handover_reaches(a->lint, mma->instr, a->dealloc) &&
           handover_other_thread(a->lint, mma->instr, a->user) && user_awaits_mma(a, mma);
}

/* A cheaper first step than spread_what_is_told: only signals of the user's own thread and the
 * waits for them. It is nearly always enough. */
static void spread_once(struct asked *a)
{
    const struct handovers *all = a->lint->handovers;
    find_own_signals(a);
    lint_spend(a->lint, all->count);
    for (uint32_t w = 0; w < all->count; w++) a->knows[w] = all->at[w].waits && hears(a, w);
}

static bool find_path(struct asked *a, bool once, struct walk_path *path)
{
    const struct handovers *all = a->lint->handovers;
    uint32_t interest = 1 << EFFECT_ACQUIRE_BARRIER | 1 << EFFECT_ACQUIRE_MEMORY |
                        1 << EFFECT_BOTH_BARRIER | 1 << EFFECT_BOTH_MEMORY | 1 << EFFECT_ALLOC;
    for (uint32_t i = all->op_count; i--;) {
        if (!user_loads_result(a, &all->ops[i])) continue;
        a->but = all->ops[i].instr;
        if (!once) spread_what_is_told(a);
        return walk_find(a->lint, a->but, 0, interest, look_for_dealloc, a, path) && !path->vague;
    }
    return false;
}

void dealloc_told_report(struct lint *lint, const struct lint_code *code, uint32_t dealloc,
                         uint32_t user)
{
    uint32_t count = lint->handovers->count;
    struct asked a = {lint, code, dealloc, user, NO_INSTR, NULL, NULL, false};
    struct walk_path path = {0};
    if (lint_effect(lint, user) != EFFECT_ASYNC_LD || !handover_other_thread(lint, user, dealloc))
        return;
    a.told = arena_alloc(lint->arena, count, sizeof *a.told);
    a.knows = arena_alloc(lint->arena, count, sizeof *a.knows);
    spread_once(&a);
    if (a.opaque || (may_know(&a) && !find_path(&a, true, &path))) return;
    a.but = NO_INSTR;
    spread_what_is_told(&a);
    if (may_know(&a) && !find_path(&a, false, &path)) return;
    lint_report(lint, (struct hazard){code, LINT_WARNING, dealloc, user,
                                      "this frees columns that %s of another warp may still load[: "
                                      "no wait of this warp covers the last load]",
                                      "write a barrier of both warps between %s and the "
                                      "dealloc",
                                      path.instrs, path.count, NULL});
}
