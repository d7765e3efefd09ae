/* Follows the threads that an arrive releases, up to their next wait. See arrive_for_commit.h. */
#include "lint/arrive_for_commit.h"

#include "lint/arrays.h"
#include "lint/handover.h"
#include "lint/otherwise.h"
#include "lint/smem_meetings.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"

/* At most this many waits for an arrive, and operations before it, are examined. */
enum { RELEASED_MAX = 4, IN_FLIGHT_MAX = 16 };

struct arrive_search {
    struct lint *lint;
    const struct lint_code *code;
    uint32_t signal; /* index in handovers->at: an arrive */
    const struct tensor_op *op;
    bool columns;                      /* look for uses of columns, not of shared memory */
    struct smem_places places;         /* unless columns */
    const bool *has_overwriter;        /* unless columns: see find_overwriters */
    const struct smem_place *operands; /* what op accesses */
    uint32_t operand_count, wait;
    uint32_t released[RELEASED_MAX], released_count; /* waits for the arrive */
};

/* ---- the arriving thread ---- */

/* The wait may be for a commit that tracks the operation. */
static bool waits_for_commit(const struct arrive_search *s, const struct handover *wait)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    const struct handover_list *signals = handover_signals(lint, (uint32_t)(wait - all->at));
    lint_spend(lint, signals->count / 8 + 1);
    for (uint32_t i = 0; i < signals->count; i++) {
        const struct handover *signal = &all->at[signals->at[i]];
        if (signal->channel != CHANNEL_MBARRIER || signal->use->kind == BARRIER_COMMIT) return true;
    }
    return false;
}

static enum walk_does look_for_arrive_in_flight(void *context, const struct lint *lint,
                                                uint32_t instr, unsigned *state)
{
    const struct arrive_search *s = context;
    const struct handover *h = handover_at(lint, instr);
    (void)state;
    if (!h) return WALK_ON;
    if (h == &lint->handovers->at[s->signal]) return WALK_FOUND;
    return h->waits && h->channel != CHANNEL_WARP && waits_for_commit(s, h) ? WALK_END : WALK_ON;
}

/* A path leads from the operation to the arrive, without a wait that may be for its commit. */
static bool is_in_flight(struct arrive_search *s, struct walk_path *path)
{
    return walk_find(s->lint, s->op->instr, 0, WALK_HANDOVERS, look_for_arrive_in_flight, s,
                     path) &&
           !path->vague;
}

/* ---- the threads that it releases ---- */

static bool needs_columns(const struct arrive_search *s, uint32_t instr)
{
    enum effect effect = lint_effect(s->lint, instr);
    if (effect != EFFECT_ASYNC_LD && effect != EFFECT_ASYNC_ST) return false;
    return handover_likely_conflict(s->lint, s->op, handover_op(s->lint, instr));
}

static bool overwrites_operand(const struct arrive_search *s, uint32_t instr)
{
    uint32_t count;
    const struct smem_place *write = smem_places_of(&s->places, instr, &count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < s->operand_count && write[i].writes; k++)
            if (smem_places_meet(&write[i], &s->operands[k])) return true;
    return false;
}

/* For each operation: some instruction may overwrite what it reads. */
static const bool *find_overwriters(struct lint *lint, const struct smem_places *places)
{
    const struct handovers *all = lint->handovers;
    const struct smem_meetings *meetings = smem_meetings_find(lint);
    bool *found = arena_alloc(lint->arena, all->op_count, sizeof *found);
    struct item_list near = {0};
    for (uint32_t i = 0; i < all->op_count; i++) {
        uint32_t count;
        const struct smem_place *operands = smem_places_of(places, all->ops[i].instr, &count);
        for (uint32_t k = 0; k < count && !found[i]; k++) {
            smem_meetings_of(lint, meetings, &operands[k], &near);
            for (uint32_t n = 0; n < near.count; n++) found[i] |= places->at[near.at[n]].writes;
        }
    }
    vec_free(&near);
    return found;
}

static enum walk_does look_for_use(void *context, const struct lint *lint, uint32_t instr,
                                   unsigned *state)
{
    const struct arrive_search *s = context;
    const struct handover *h = handover_at(lint, instr);
    (void)state;
    if (s->columns ? needs_columns(s, instr) : overwrites_operand(s, instr)) return WALK_FOUND;
    if (!h || !h->waits || h->channel == CHANNEL_WARP) return WALK_ON;
    /* the same wait, once more */
    return instr == s->wait ? WALK_ON : WALK_END;
}

static bool is_used_behind(struct arrive_search *s, uint32_t wait)
{
    struct walk_path path;
    s->wait = wait;
    return walk_find(s->lint, wait, 0, WALK_ASYNC | WALK_HANDOVERS | WALK_SHARED_MEMORY,
                     look_for_use, s, &path) &&
           !path.vague &&
           !otherwise_ordered(s->lint, s->op->instr, path.found,
                              &s->lint->handovers->at[s->signal]);
}

/* Only arrives of this thread end a phase of the mbarrier. Another thread may have waited for the
 * completion before it arrives. */
static bool only_arrives(const struct arrive_search *s, uint32_t wait)
{
    const struct handovers *all = s->lint->handovers;
    const struct handover_list *signals = handover_signals(s->lint, wait);
    lint_spend(s->lint, signals->count / 8 + 1);
    for (uint32_t i = 0; i < signals->count; i++) {
        const struct handover *signal = &all->at[signals->at[i]];
        if (signal->channel != CHANNEL_MBARRIER) return false;
        if (arrays_likely_others(s->lint, signal->use, all->at[wait].use)) continue;
        if (signal->use->kind != BARRIER_ARRIVE ||
            handover_other_thread(s->lint, all->at[s->signal].instr, signal->instr))
            return false;
    }
    return true;
}

/* Lists the waits of other threads for this mbarrier, if only arrives end its phases. */
static void find_released(struct arrive_search *s)
{
    const struct handovers *all = s->lint->handovers;
    const struct handover *arrive = &all->at[s->signal];
    const struct handover_list *waits = handover_waits(s->lint, s->signal);
    s->released_count = 0;
    for (uint32_t w = 0; w < waits->count && s->released_count < RELEASED_MAX; w++) {
        const struct handover *wait = &all->at[waits->at[w]];
        if (wait->channel != CHANNEL_MBARRIER ||
            arrays_likely_others(s->lint, arrive->use, wait->use) ||
            !handover_other_thread(s->lint, arrive->instr, wait->instr) ||
            !only_arrives(s, waits->at[w]))
            continue;
        s->released[s->released_count++] = wait->instr;
    }
}

static bool releases_user(struct arrive_search *s)
{
    for (uint32_t i = 0; i < s->released_count; i++)
        if (is_used_behind(s, s->released[i])) return true;
    return false;
}

/* ---- all arrives ---- */

static void check_arrive_for_commit(struct arrive_search *s)
{
    struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    uint32_t arrive = all->at[s->signal].instr;
    struct walk_path path;
    uint32_t in_flight = 0;
    if (lint_has_reported(lint, s->code, arrive, NO_INSTR)) return;
    find_released(s);
    for (uint32_t i = all->op_count; s->released_count && i-- > 0 && in_flight < IN_FLIGHT_MAX;) {
        s->op = &all->ops[i];
        if ((!s->columns && !s->has_overwriter[i]) ||
            !effect_is_pipe(lint_effect(lint, s->op->instr)) ||
            !handover_reaches(lint, s->op->instr, arrive))
            continue;
        in_flight++;
        if (!is_in_flight(s, &path)) continue;
        if (!s->columns) s->operands = smem_places_of(&s->places, s->op->instr, &s->operand_count);
        if (!releases_user(s)) continue;
        lint_report(lint,
                    (struct hazard){s->code, LINT_WARNING, arrive, s->op->instr,
                                    s->columns ? "this signals that %s is complete, but no commit "
                                                 "tracks it"
                                               : "this arrive releases the stage that %s may still "
                                                 "read[: another thread refills it]",
                                    "write a tcgen05.commit to that mbarrier in place of the "
                                    "arrive, or wait for a commit before the arrive",
                                    path.instrs, path.count, NULL});
        return;
    }
}

void arrive_for_commit_report(struct lint *lint, const struct lint_code *code, bool columns)
{
    const struct handovers *all = lint->handovers;
    struct arrive_search s = {.lint = lint, .code = code, .columns = columns};
    bool begun = columns;
    if (!all->op_count) return;
    for (s.signal = 0; s.signal < all->count; s.signal++) {
        const struct handover *h = &all->at[s.signal];
        if (h->channel != CHANNEL_MBARRIER || h->use->kind != BARRIER_ARRIVE ||
            value_is_none(h->use->object) || !condition_pairs_one_lane(lint->subject, h->instr))
            continue;
        if (!begun) {
            s.places = smem_places_find(lint);
            s.has_overwriter = find_overwriters(lint, &s.places);
            begun = true;
        }
        check_arrive_for_commit(&s);
    }
}
