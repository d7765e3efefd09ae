/* Decides whether the warp that frees tensor memory learns that another warp has completed its
 * loads. See dealloc_told.h. */
#include "lint/dealloc_told.h"

#include "lint/walk.h"
#include "value/condition_pairs.h"

struct asked {
    struct lint *lint;
    const struct lint_code *code;
    uint32_t dealloc, user, but; /* but: NO_INSTR, or an mma after which signals do not count */
    uint32_t users, freeing;     /* warps, as bits, that execute user and dealloc */
    /* By handover, warps as bits: those that signal after the user is complete; those that wait,
     * and after that know that it is complete. */
    uint32_t *told, *knows;
    /* By handover, for spread_what_is_told: the steps of the last changes of told and knows, and of
     * the last looks at those of others; and of the last change of any. */
    uint32_t *told_at, *knows_at, *heard_at, *news_at, last_told, last_known;
};

/* A signal to other lanes of the warp alone tells other warps nothing. */
static bool signals_warps(const struct handover *h)
{
    return h->signals && h->channel != CHANNEL_WARP;
}

static void find_own_signals(struct asked *a)
{
    const struct handovers *all = a->lint->handovers;
    lint_spend(a->lint, all->count);
    for (uint32_t s = 0; s < all->count; s++) {
        const struct handover *h = &all->at[s];
        bool told = signals_warps(h) && handover_reaches(a->lint, a->user, h->instr);
        a->told[s] = told ? a->users : 0;
        a->told_at[s] = 1;
        a->knows[s] = a->knows_at[s] = a->heard_at[s] = a->news_at[s] = 0;
    }
    a->last_told = 1;
    a->last_known = 0;
}

/* The warps that hear at the wait of signals that were told after step `since`. */
static uint32_t those_who_hear(const struct asked *a, uint32_t wait, uint32_t since)
{
    const struct handovers *all = a->lint->handovers;
    const struct handover_list *signals = handover_signals(a->lint, wait);
    uint32_t warps = 0;
    if (a->last_told <= since) return 0;
    for (uint32_t i = 0; i < signals->count && warps != UINT32_MAX; i++) {
        uint32_t s = signals->at[i];
        if (a->told[s] && a->told_at[s] > since)
            warps |= handover_warps_met(a->lint, &all->at[s], &all->at[wait], a->told[s]);
    }
    return warps;
}

/* The warps that give the signal behind what others learned after step `since`. */
static uint32_t those_behind_news(const struct asked *a, const struct handover *signal,
                                  uint32_t since)
{
    const struct handovers *all = a->lint->handovers;
    uint32_t warps = 0;
    if (a->last_known <= since) return 0;
    if (a->but != NO_INSTR && handover_reaches(a->lint, a->but, signal->instr)) return 0;
    for (uint32_t w = 0; w < all->count && warps != UINT32_MAX; w++)
        if (a->knows_at[w] > since && a->knows[w] & ~warps &&
            (&all->at[w] == signal || handover_reaches(a->lint, all->at[w].instr, signal->instr)))
            warps |= a->knows[w];
    return warps;
}

/* Adds to the warps. If one of them is new, sets *changed and *last to the step and returns true.
 */
static bool add_warps(uint32_t *warps, uint32_t added, uint32_t *changed, uint32_t *last,
                      uint32_t step)
{
    bool more = added & ~*warps;
    *warps |= added;
    if (more) *changed = *last = step;
    return more;
}

static void spread_what_is_told(struct asked *a)
{
    const struct handovers *all = a->lint->handovers;
    uint32_t step = 1;
    bool more = true;
    find_own_signals(a);
    while (more) {
        more = false;
        lint_spend(a->lint, all->count);
        for (uint32_t i = 0; i < all->count; i++) {
            const struct handover *h = &all->at[i];
            step++;
            if (h->waits && a->knows[i] != UINT32_MAX)
                more |= add_warps(&a->knows[i], those_who_hear(a, i, a->heard_at[i]),
                                  &a->knows_at[i], &a->last_known, step);
            a->heard_at[i] = step++;
            if (signals_warps(h) && a->told[i] != UINT32_MAX)
                more |= add_warps(&a->told[i], those_behind_news(a, h, a->news_at[i]),
                                  &a->told_at[i], &a->last_told, step);
            a->news_at[i] = step;
        }
    }
}

/* A thread that frees may have executed such a wait before: not if their conditions exclude each
 * other. */
static bool may_know(const struct asked *a)
{
    const struct handovers *all = a->lint->handovers;
    for (uint32_t w = 0; w < all->count; w++)
        if (a->knows[w] & a->freeing && handover_reaches(a->lint, all->at[w].instr, a->dealloc) &&
            !condition_pairs_exclude(a->lint->subject, all->at[w].instr, a->dealloc))
            return true;
    return false;
}

enum {
    WAITS = 1 << EFFECT_ACQUIRE_BARRIER | 1 << EFFECT_ACQUIRE_MEMORY | 1 << EFFECT_BOTH_BARRIER |
            1 << EFFECT_BOTH_MEMORY | 1 << EFFECT_ALLOC
};

/* ---- from the mma ---- */

static enum walk_does look_for_dealloc(void *context, const struct lint *lint, uint32_t instr,
                                       unsigned *state)
{
    const struct asked *a = context;
    (void)state;
    if (instr == a->dealloc) return WALK_FOUND;
    const struct handover *h = handover_at(lint, instr);
    return h && a->knows[h - lint->handovers->at] & a->freeing ? WALK_END : WALK_ON;
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
    for (uint32_t w = 0; w < all->count; w++)
        a->knows[w] = all->at[w].waits ? those_who_hear(a, w, 0) : 0;
}

static bool find_path(struct asked *a, bool once, struct walk_path *path)
{
    const struct handovers *all = a->lint->handovers;
    for (uint32_t i = all->op_count; i--;) {
        if (!user_loads_result(a, &all->ops[i])) continue;
        a->but = all->ops[i].instr;
        if (!once) spread_what_is_told(a);
        return walk_find(a->lint, a->but, 0, WAITS, look_for_dealloc, a, path) && !path->vague;
    }
    return false;
}

/* ---- from the load of the warp that frees ---- */

/* The warp that frees waits ahead of its load for other warps that execute the load. */
static bool waits_ahead(const struct asked *a)
{
    const struct handovers *all = a->lint->handovers;
    for (uint32_t w = 0; w < all->count; w++)
        if (a->knows[w] && handover_reaches(a->lint, all->at[w].instr, a->user) &&
            handover_of_fewer_warps(a->lint, all->at[w].instr, a->user))
            return true;
    return false;
}

static enum walk_does look_unwaited(void *context, const struct lint *lint, uint32_t instr,
                                    unsigned *state)
{
    const struct asked *a = context;
    const struct handover *h = handover_at(lint, instr);
    (void)state;
    if (instr == a->dealloc) return WALK_FOUND;
    return h && h->waits && h->channel != CHANNEL_WARP ? WALK_END : WALK_ON;
}

/* The warp that frees executes the load together with other warps, and does not wait between the
 * load and the dealloc. A wait ahead of the load cannot cover their load of this round. */
static bool find_path_of_own_load(struct asked *a, struct walk_path *path)
{
    struct lint *lint = a->lint;
    if (!handover_reaches(lint, a->user, a->dealloc)) return false;
    if (!walk_find(lint, a->user, 0, WAITS, look_unwaited, a, path) || path->vague) return false;
    spread_what_is_told(a);
    return !waits_ahead(a);
}

static bool is_told_in_time(struct asked *a, struct walk_path *path)
{
    spread_once(a);
    if (may_know(a) && !find_path(a, true, path)) return true;
    a->but = NO_INSTR;
    spread_what_is_told(a);
    return may_know(a) && !find_path(a, false, path);
}

/* ---- barriers whose number differs by warp ---- */

static enum walk_does look_for_user(void *context, const struct lint *lint, uint32_t instr,
                                    unsigned *state)
{
    const struct asked *a = context;
    (void)lint, (void)state;
    return instr == a->user ? WALK_FOUND : WALK_ON;
}

/* Returns %tid.x, from which the number of some barrier is computed; VALUE_NONE: not found. */
static struct value thread_number(const struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    for (uint32_t i = 0; i < all->count; i++) {
        if (!all->at[i].numbers) continue;
        struct value root = {value_expr(lint->subject, all->at[i].address)->root, 0};
        if (value_expr(lint->subject, root)->kind == EXPR_NAME) return root;
    }
    return VALUE_NONE;
}

/* The warp certainly executes the user. The conditions of the instruction do not tell this, because
 * they leave out what differs between the paths to it: a path of a thread of the warp is needed. */
static bool certainly_uses(struct asked *a, uint32_t warp)
{
    enum { LANE = 1 }; /* elect.sync may choose the first or the last one */
    const struct lint *lint = a->lint;
    struct condition_set set = {0};
    struct walk_path path;
    bool sure;
    struct value is_thread =
        exprs_compare(values_exprs(lint->subject), EXPR_EQ, thread_number(lint),
                      exprs_constant((int64_t)warp * WARP + LANE));
    if (value_is_none(is_thread) || !condition_add(lint->subject, &set, is_thread, true))
        return false;
    if (!walk_towards(lint, &set, a->user, 1u << EFFECT_ASYNC_LD, look_for_user, a, &path) ||
        path.vague)
        return false;
    return lanes_warps(lint->subject, &lint->handovers->shape, &path.set, &sure) >> warp & sure;
}

/* The two warps use the same number at each barrier. */
static bool are_of_one_group(const struct handovers *all, uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < all->count; i++) {
        const uint32_t *numbers = all->at[i].numbers;
        if (numbers && numbers[x] != numbers[y]) return false;
    }
    return true;
}

/* A warp that executes the user may signal only the warps whose barrier has the same number. */
static bool is_some_group_untold(struct asked *a)
{
    const struct handovers *all = a->lint->handovers;
    struct condition_set using = conditions_of(a->lint->subject, a->user),
                         freeing = conditions_of(a->lint->subject, a->dealloc);
    bool sure;
    if (!all->numbers_differ) return false;
    a->but = NO_INSTR;
    a->freeing = lanes_warps(a->lint->subject, &all->shape, &freeing, &sure);
    uint32_t open = lanes_warps(a->lint->subject, &all->shape, &using, &sure) & ~a->freeing;
    for (uint32_t warp = 0; open; warp++) {
        if (!(open >> warp & 1)) continue;
        open &= ~(1u << warp);
        if (!certainly_uses(a, warp)) continue;
        a->users = 1u << warp;
        spread_what_is_told(a);
        if (!may_know(a)) return true;
        for (uint32_t i = warp + 1; i < all->shape.warps; i++)
            if (are_of_one_group(all, warp, i)) open &= ~(1u << i);
    }
    return false;
}

void dealloc_told_report(struct lint *lint, const struct lint_code *code, uint32_t dealloc,
                         uint32_t user)
{
    uint32_t count = lint->handovers->count;
    struct asked a = {.lint = lint,
                      .code = code,
                      .dealloc = dealloc,
                      .user = user,
                      .but = NO_INSTR,
                      .users = UINT32_MAX,
                      .freeing = UINT32_MAX};
    struct walk_path path = {0};
    if (lint_effect(lint, user) != EFFECT_ASYNC_LD || lint->handovers->calls) return;
    bool other = handover_other_thread(lint, user, dealloc);
    bool loads = !other && handover_of_fewer_warps(lint, dealloc, user);
    if (!other && !loads && !lint->handovers->numbers_differ) return;
    a.told = arena_alloc(lint->arena, count, sizeof *a.told);
    a.knows = arena_alloc(lint->arena, count, sizeof *a.knows);
    uint32_t **steps[] = {&a.told_at, &a.knows_at, &a.heard_at, &a.news_at};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        *steps[i] = arena_room(lint->arena, count, sizeof **steps[i]);
    if (!(loads && find_path_of_own_load(&a, &path)) && (!other || is_told_in_time(&a, &path))) {
        if (!is_some_group_untold(&a)) return;
        path.count = 0;
    }
    lint_report(lint, (struct hazard){code, LINT_WARNING, dealloc, user,
                                      "this frees columns that %s of another warp may still load[: "
                                      "no wait of this warp covers the last load]",
                                      "write a barrier of both warps between %s and the "
                                      "dealloc",
                                      path.instrs, path.count, NULL});
}
