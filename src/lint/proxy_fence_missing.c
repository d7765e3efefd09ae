/* The code proxy-fence-missing: threads write or read shared memory through the generic proxy, and
 * the asynchronous proxy reads or overwrites it with no proxy fence in between.
 *
 *     st.shared [s], …; bar.sync 0; tcgen05.mma … (descriptor of s)      broken
 *     st.shared [s], …; fence.proxy.async.shared::cta; bar.sync 0; …     right
 *
 * From each access the analysis follows the paths of the same thread and, through an mbarrier at
 * which it arrives, the paths of the threads that wait for that mbarrier. A path ends at a proxy
 * fence in either thread, and at a copy that fills the same place again. */
#include "lint/arrays.h"
#include "lint/cancel_query.h"
#include "lint/handover.h"
#include "lint/mbarriers.h"
#include "lint/own_arrivals.h"
#include "lint/peer.h"
#include "lint/proxy_fence_global.h"
#include "lint/proxy_fence_map.h"
#include "lint/proxy_fence_peer.h"
#include "lint/proxy_kinds.h"
#include "lint/smem_meetings.h"
#include "lint/smem_stage.h"
#include "lint/tells.h"
#include "lint/walk.h"
#include "value/barriers.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"

/* From this number of stages with a fence on, the fence counts as usual in this kernel. */
enum { LIKE_PLACES = 2 };

static const uint32_t interest =
    WALK_SHARED_MEMORY | 1u << EFFECT_MEET_MEMORY | 1u << EFFECT_ASYNC_MMA | 1u << EFFECT_ASYNC_CP |
    1u << EFFECT_RELEASE_MEMORY | 1u << EFFECT_BOTH_MEMORY | 1u << EFFECT_RELEASE_BARRIER |
    1u << EFFECT_ACQUIRE_BARRIER | 1u << EFFECT_BOTH_BARRIER | 1u << EFFECT_CALL;

/* The state of a path. MET_OTHERS: it has passed a barrier, so another thread may have executed the
 * fence. */
enum { ALONE, MET_OTHERS };

/* A stage that an mbarrier releases to its producer with no fence after the loads. */
struct refill {
    struct walk_path path;
    const struct smem_place *met;
};

/* A load, and where the paths behind it end, at least once at a fence. */
struct fenced {
    const struct smem_place *load;
    uint32_t ends[OWN_ARRIVALS_MAX];
    uint32_t end_count;
};

struct search {
    struct lint *lint;
    struct smem_places all;
    /* The accesses through the generic proxy in one block with no fence after them: only stores
     * (writes), or only loads. */
    struct proxy_group group;
    bool writes;
    struct proxy_kinds *kinds;
    struct proxy_kind *kind; /* of the group */
    const struct smem_meetings *meetings;
    struct VEC(const struct smem_place *) async[2]; /* by writes: the accesses of all */
    struct item_list room;                          /* for smem_meetings_of */
    bool fences;                                    /* the function has a proxy fence */
    bool quiet;             /* behind the group, its thread comes to nothing that ends a path */
    bool ahead;             /* look_own only awaits what it would note */
    struct awaited awaited; /* what look_own has not noted yet */
    struct own_arrivals unfenced; /* the arrivals that paths reach with no fence before them */
    struct own_arrivals told;     /* the arrivals of unfenced that certainly release the access */
    /* the arrivals after a fence that ends a path, or after a store to the same place */
    struct own_arrivals later;
    bool later_known; /* otherwise `later` is still to be found, behind the ends */
    struct own_arrivals_ends known_ends;
    const struct handover *bars[OWN_ARRIVALS_MAX]; /* the first CTA barriers on the paths */
    uint32_t bar_count;
    uint32_t ends[OWN_ARRIVALS_MAX];
    uint32_t end_count;
    const struct smem_place *met; /* the access of the group whose place the found access touches */
    const struct smem_place *stage_asked; /* the load of which met_a_stage is known; NULL: none */
    bool met_a_stage;                     /* it reads a stage (smem_stage.h) */
    bool elsewhere;                       /* the paths are of threads of another CTA */
    struct walk_question unfenced_behind[2]; /* by elsewhere: look_for_unfenced, for the group */
    bool reported;                           /* a hazard of the current group is found */
    struct VEC(struct fenced) fenced;        /* of each group of loads, the first */
    struct VEC(struct refill) refills;
    uint32_t refill_places, refill_block; /* the blocks of loads in refills, and the last one */
};

/* ---- the instructions on a path ---- */

/* Returns the first access of the group whose place `by` touches; NULL: none. */
static const struct smem_place *touched_place(const struct search *s, const struct smem_place *by)
{
    const struct touched *touched = &s->kind->touched[by - s->all.at];
    return touched->kind == s->kind->number ? s->group.at[touched->access] : NULL;
}

/* The copy writes a place of the group, or a ring that begins where the object of a store of the
 * group begins. */
static bool fills_stage(const struct search *s, const struct smem_place *copy)
{
    if (!copy->async || !copy->writes) return false;
    if (touched_place(s, copy)) return true;
    for (uint32_t i = 0; i < s->group.count; i++) {
        const struct smem_place *store = s->group.at[i];
        if (store->base.base == copy->base.base && store->lanes && store->object == copy->lowest)
            return true;
    }
    return false;
}

static bool finds_copy_for(const struct search *s, const struct barrier_use *wait)
{
    lint_spend(s->lint, s->all.count);
    for (uint32_t i = 0; i < s->all.count; i++) {
        const struct smem_place *copy = &s->all.at[i];
        if (!fills_stage(s, copy)) continue;
        const struct barrier_use *use = barriers_at(s->lint->subject, copy->instr);
        if (!use || !arrays_likely_others(s->lint, use, wait)) return true;
    }
    return false;
}

/* After the wait, the place holds the data of a copy. */
static bool is_filled_behind(const struct search *s, const struct barrier_use *wait)
{
    struct filled *filled = &s->kind->filled[wait - s->lint->subject->barriers->uses];
    if (filled->kind != s->kind->number)
        *filled = (struct filled){s->kind->number, finds_copy_for(s, wait)};
    return filled->holds;
}

static void note_bar(struct search *s, uint32_t instr)
{
    const struct handover *h = handover_at(s->lint, instr);
    if (!h || h->channel != CHANNEL_CTA || !h->signals || value_is_none(h->address)) return;
    for (uint32_t i = 0; i < s->bar_count; i++)
        if (value_same(s->bars[i]->address, h->address)) return;
    if (s->bar_count < OWN_ARRIVALS_MAX) s->bars[s->bar_count++] = h;
}

/* A path ends at instr: a fence, or another store to the place, for which the search is repeated.
 */
static void note_end(struct search *s, uint32_t instr)
{
    for (uint32_t i = 0; i < s->end_count; i++)
        if (s->ends[i] == instr) return;
    if (s->end_count < OWN_ARRIVALS_MAX) s->ends[s->end_count++] = instr;
}

/* The arrivals behind the ends of the paths. */
static const struct own_arrivals *arrivals_later(struct search *s)
{
    const struct barriers *all = s->lint->subject->barriers;
    if (s->later_known) return &s->later;
    s->later_known = true;
    s->later.count = 0;
    for (uint32_t i = 0; i < s->end_count && s->later.count < OWN_ARRIVALS_MAX; i++) {
        const bool *reached = own_arrivals_behind(s->lint, &s->known_ends, s->ends[i]);
        lint_spend(s->lint, all->count / 8);
        for (uint32_t k = 0; k < all->count; k++)
            if (reached[k]) own_arrivals_note(&s->later, &all->uses[k]);
    }
    return &s->later;
}

/* The thread that made the access arrives for this wait only after the fence or store that ends a
 * path. */
static bool is_later(struct search *s, const struct barrier_use *wait)
{
    bool none = s->later_known && !s->later.count;
    return !none && !own_arrivals_may_have(s->lint, &s->unfenced, wait) &&
           own_arrivals_may_have(s->lint, arrivals_later(s), wait);
}

/* The access of a thread of another CTA is to the shared memory of this CTA, too. */
static bool reaches_here(const struct search *s, const struct smem_place *access)
{
    const struct subject *subject = s->lint->subject;
    if (!access->writes) return instruction_has(subject, access->instr, ".cta_group::2");
    return peer_at(peers_find(s->lint), access->instr) != NULL;
}

/* If the access ends the path with a hazard, sets s->met. */
static enum walk_does look_at_access(struct search *s, const struct smem_place *access)
{
    if (s->elsewhere && !reaches_here(s, access)) return WALK_ON;
    bool finds = access->async && access->writes != s->writes;
    const struct smem_place *met = finds || access->writes ? touched_place(s, access) : NULL;
    if (!met) return WALK_ON;
    if (!finds) return WALK_END;
    s->met = met;
    return WALK_FOUND;
}

static enum walk_does look_at_accesses(struct search *s, uint32_t instr)
{
    uint32_t count;
    const struct smem_place *access = smem_places_of(&s->all, instr, &count);
    for (uint32_t i = 0; i < count; i++) {
        enum walk_does does = look_at_access(s, &access[i]);
        if (does != WALK_ON) return does;
    }
    return WALK_ON;
}

/* The wait returns after a fence, or after a copy has filled the place again. */
static bool is_settled_behind(struct search *s, const struct barrier_use *wait)
{
    return (s->writes && is_filled_behind(s, wait)) || is_later(s, wait);
}

/* A walk_look for a thread that has waited for the thread with the access. */
static enum walk_does look_for_unfenced(void *context, const struct lint *lint, uint32_t instr,
                                        unsigned *state)
{
    struct search *s = context;
    (void)state;
    if (lint_effect(lint, instr) == EFFECT_CALL || is_any_proxy_fence(lint, instr)) return WALK_END;
    enum walk_does does = look_at_accesses(s, instr);
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    if (does != WALK_ON || !use || use->kind != BARRIER_WAIT) return does;
    return is_settled_behind(s, use) ? WALK_END : WALK_ON;
}

static bool is_meeting(const struct lint *lint, uint32_t instr)
{
    enum effect effect = lint_effect(lint, instr);
    return effect == EFFECT_RELEASE_BARRIER || effect == EFFECT_BOTH_BARRIER;
}

/* What look_own notes at an instruction. */
enum note { NOTE_END, NOTE_BAR, NOTE_ARRIVAL, NOTE_TOLD, NOTES };

/* True if it is to be noted now, otherwise only awaited. */
static bool notes_now(struct search *s, uint32_t instr, enum note note)
{
    if (s->ahead)
        awaited_add(&s->awaited, instr * NOTES + note);
    else
        awaited_meet(&s->awaited, instr * NOTES + note);
    return !s->ahead;
}

/* A walk_look for the thread with the access: notes its arrivals, its barriers and its fences. The
 * walk also ends, with s->met NULL, when it has noted all that it awaits. */
static enum walk_does look_own(void *context, const struct lint *lint, uint32_t instr,
                               unsigned *state)
{
    struct search *s = context;
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    if (s->quiet && s->unfenced.count == OWN_ARRIVALS_MAX && s->told.count == OWN_ARRIVALS_MAX)
        return WALK_END;                              /* nothing more would be noted */
    if (s->ahead && s->awaited.more) return WALK_END; /* the walk would not end early */
    if (is_any_proxy_fence(lint, instr) && notes_now(s, instr, NOTE_END)) note_end(s, instr);
    if (is_meeting(lint, instr) && s->writes && *state == ALONE && notes_now(s, instr, NOTE_BAR))
        note_bar(s, instr);
    if (instruction_joins_warps(lint->subject, instr)) *state = MET_OTHERS;
    enum walk_does does = look_for_unfenced(s, lint, instr, state);
    if (does == WALK_FOUND) s->awaited.more = true;
    if (does == WALK_FOUND) return s->ahead ? WALK_END : WALK_FOUND;
    if (does == WALK_END && look_at_accesses(s, instr) == WALK_END && notes_now(s, instr, NOTE_END))
        note_end(s, instr);
    if (does == WALK_ON && use && own_arrivals_is(use)) {
        bool tells = *state == ALONE || own_arrivals_alone(lint, use);
        if (notes_now(s, instr, NOTE_ARRIVAL)) own_arrivals_note(&s->unfenced, use);
        if (tells && notes_now(s, instr, NOTE_TOLD)) own_arrivals_note(&s->told, use);
    }
    return s->ahead || s->awaited.count || s->awaited.more ? does : WALK_FOUND;
}

/* Walks on from the group. True if there is a hazard for its own thread. */
static bool finds_own(struct search *s, uint32_t last, struct walk_path *path)
{
    enum { FEW_BLOCKS = 64 }; /* in these a walk does not take long */
    s->ahead = !s->quiet && s->lint->cfg->count > FEW_BLOCKS;
    s->awaited.count = 0;
    s->awaited.more = !s->ahead;
    if (s->ahead) (void)walk_find(s->lint, last, ALONE, interest, look_own, s, path);
    s->ahead = false;
    s->met = NULL;
    return (s->awaited.count || s->awaited.more) &&
           walk_forward(s->lint, last, ALONE, interest, look_own, s, path) && s->met;
}

/* ---- the report ---- */

/* Triton emits only a cp.async.wait_group and a barrier between cp.async and wgmma, and its kernels
 * work. */
static bool is_copied_for_wgmma(const struct lint *lint, uint32_t write, uint32_t read)
{
    return str_starts(instruction_opcode(lint->subject, write), "cp.async") &&
           str_is(instruction_base(lint->subject, read), "wgmma");
}

static bool is_met_a_stage(struct search *s)
{
    if (s->stage_asked != s->met) s->met_a_stage = smem_stage_is(s->lint, &s->all, s->met);
    s->stage_asked = s->met;
    return s->met_a_stage;
}

static void proxy_fence_missing_report(struct search *s, const struct walk_path *path,
                                       enum lint_level level)
{
    if (!s->writes && !is_met_a_stage(s)) return;
    if (is_copied_for_wgmma(s->lint, s->met->instr, path->found)) level = LINT_NOTE;
    s->reported = true;
    lint_report(
        s->lint,
        (struct hazard){
            &lint_proxy_fence_missing, level, path->found, s->met->instr,
            s->writes ? "no proxy fence is between the write at %s[ through the generic proxy] and "
                        "this read[ of the same shared memory through the asynchronous proxy]"
                      : "no proxy fence is between the read at %s[ through the generic proxy] and "
                        "this write[ of the same shared memory through the asynchronous proxy]",
            "write fence.proxy.async.shared::cta after %s and later accesses like it, before the "
            "barrier or arrive that lets others use that memory, in every thread with such an "
            "access",
            path->instrs, path->count, NULL});
}

/* In the ISA's example of clusterlaunchcontrol, the fence is before the arrive. */
static bool is_answer(const struct search *s, uint32_t copy)
{
    return str_is(instruction_base(s->lint->subject, copy), "clusterlaunchcontrol");
}

/* The loads of the group are of a stage that is refilled with no fence after them. */
static void note_refilled(struct search *s)
{
    uint32_t block = s->lint->cfg->block_of[s->group.at[0]->instr];
    s->reported = true;
    s->refill_places += !s->refill_places || block != s->refill_block;
    s->refill_block = block;
}

static void note_refill(struct search *s, const struct walk_path *path)
{
    note_refilled(s);
    vec_push(&s->refills, ((struct refill){*path, s->met}));
}

/* Notes the loads of the group if a path behind them ends at a fence. */
static void note_fenced(struct search *s)
{
    struct fenced fenced = {.load = s->group.at[0], .end_count = s->end_count};
    bool fences = false;
    memcpy(fenced.ends, s->ends, sizeof fenced.ends);
    for (uint32_t i = 0; i < s->end_count; i++) fences |= is_any_proxy_fence(s->lint, s->ends[i]);
    if (fences) vec_push(&s->fenced, fenced);
}

/* At least LIKE_PLACES stages are released after a fence. */
static bool is_fence_usual(struct search *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->fenced.count && count < LIKE_PLACES; i++) {
        const struct fenced *fenced = &s->fenced.at[i];
        memcpy(s->ends, fenced->ends, sizeof s->ends);
        s->end_count = fenced->end_count;
        s->later_known = false;
        count += arrivals_later(s)->count && smem_stage_is(s->lint, &s->all, fenced->load);
    }
    return count == LIKE_PLACES;
}

/* Some kernels rely on the mbarrier alone and work. So a missing fence is a warning only if all
 * other stages have it. */
static void report_refills(struct search *s)
{
    bool forgotten = s->refill_places == 1 && is_fence_usual(s);
    for (uint32_t i = 0; i < s->refills.count; i++) {
        s->met = s->refills.at[i].met;
        proxy_fence_missing_report(s, &s->refills.at[i].path, forgotten ? LINT_WARNING : LINT_NOTE);
    }
}

/* Adds the access and the arrive before a path that begins at the wait. */
static void join_arrival_path(struct search *s, uint32_t arrival, struct walk_path *path)
{
    uint32_t *instrs = arena_alloc(s->lint->arena, path->count + 2, sizeof *instrs);
    instrs[0] = s->met->instr;
    instrs[1] = arrival;
    memcpy(instrs + 2, path->instrs, path->count * sizeof *instrs);
    path->instrs = instrs;
    path->count += 2;
}

/* ---- the search ---- */

static bool is_wait_for(const struct search *s, const struct barrier_use *wait,
                        const struct barrier_use *arrival, bool likely)
{
    if (wait->kind != BARRIER_WAIT || (s->writes && is_filled_behind(s, wait))) return false;
    return likely ? arrays_likely_same(s->lint, wait, arrival) : barriers_same(wait, arrival);
}

/* A target may follow the instruction in its thread, or in one that waits for a signal behind the
 * instruction. */
static bool may_meet_target(const struct search *s, uint32_t instr)
{
    const struct item_list *targets = &s->kind->targets;
    if (proxy_kind_leads(s->lint, s->kind, instr)) return true;
    for (uint32_t k = 0; k < targets->count; k++) {
        uint32_t i = s->kind->told + k; /* mostly the next one, too */
        if (i >= targets->count) i -= targets->count;
        if (!tells_before(s->lint, instr, targets->at[i])) continue;
        s->kind->told = i;
        return true;
    }
    return false;
}

/* Many paths behind the waits of a group are the same ones. */
static bool finds_unfenced(struct search *s, uint32_t wait, struct walk_path *path)
{
    struct walk_question *question = &s->unfenced_behind[s->elsewhere];
    if (!question->memory) *question = (struct walk_question){interest, look_for_unfenced, s, NULL};
    return walk_question_find(s->lint, question, wait, ALONE, path);
}

/* Searches from each wait for the arrival. */
static void search_from_waits(struct search *s, const struct barrier_use *arrival, bool likely,
                              struct proxy_answer *answers)
{
    const struct barriers *barriers = s->lint->subject->barriers;
    struct walk_path path;
    for (uint32_t i = UINT32_MAX;
         (i = barriers_next_alike(s->lint->subject, arrival, i)) < barriers->count;) {
        const struct barrier_use *wait = &barriers->uses[i];
        if (!is_wait_for(s, wait, arrival, likely)) continue;
        answers->waits = true;
        if (!proxy_kind_leads(s->lint, s->kind, wait->instr) ||
            !finds_unfenced(s, wait->instr, &path))
            continue;
        bool answer = is_answer(s, path.found);
        answers->depends |= answer;
        if (answer &&
            !cancel_query_leads(s->lint, s->met->instr, arrival->instr, is_any_proxy_fence))
            continue;
        answers->found = true;
        join_arrival_path(s, arrival->instr, &path);
        if (s->writes || answer)
            proxy_fence_missing_report(s, &path, LINT_WARNING);
        else
            note_refill(s, &path);
    }
}

/* By access of the group: the load is of a stage. */
static bool *stages_of_group(const struct search *s)
{
    bool *stages = arena_room(s->lint->arena, s->group.count, sizeof *stages);
    for (uint32_t i = 0; i < s->group.count; i++)
        stages[i] = smem_stage_is(s->lint, &s->all, s->group.at[i]);
    return stages;
}

/* An earlier group of the kind had the answer, and what it found is reported for that group, if
 * for any: the findings at the same instructions for this group would be left out. */
static bool is_known_of_kind(const struct search *s, const struct proxy_answer *before)
{
    if (!before || s->end_count) return false;
    for (uint32_t i = 0; before->stages && i < s->group.count; i++)
        if (!before->stages[i] && smem_stage_is(s->lint, &s->all, s->group.at[i])) return false;
    return true;
}

/* As search_from_waits, unless the answer is known. False if there is no wait. */
static bool ask_those_who_wait(struct search *s, const struct barrier_use *arrival, bool likely)
{
    struct proxy_answer answer = {.kind = s->kind->number, .of = likely};
    answer.mbarrier = mbarriers_kind(s->lint, arrival);
    s->elsewhere = peer_at(peers_find(s->lint), arrival->instr) != NULL;
    answer.of |= (uint32_t)s->elsewhere << 1;
    const struct proxy_answer *before =
        proxy_answers_find(s->kinds, s->kind, answer.mbarrier, answer.of);
    if (is_known_of_kind(s, before)) {
        answer = *before;
        if (answer.found && !s->writes) note_refilled(s);
        s->reported |= answer.found;
    } else {
        search_from_waits(s, arrival, likely, &answer);
        if (answer.found && !s->writes) answer.stages = stages_of_group(s);
        if (!answer.depends && !s->end_count) proxy_answers_add(s->kinds, &answer);
    }
    s->elsewhere = false;
    return answer.waits;
}

/* Searches from other instructions of the same CTA barrier that only other warps execute. */
static void ask_those_who_meet(struct search *s, const struct handover *bar)
{
    const struct lint *lint = s->lint;
    struct walk_path path;
    lint_spend(lint, lint->handovers->count);
    for (uint32_t i = 0; i < lint->handovers->count; i++) {
        const struct handover *wait = &lint->handovers->at[i];
        if (wait == bar || wait->channel != CHANNEL_CTA || !wait->waits) continue;
        if (!value_same(wait->address, bar->address) ||
            !proxy_kind_leads(s->lint, s->kind, wait->instr))
            continue;
        if (!condition_pairs_other_warp(lint->subject, bar->instr, wait->instr)) continue;
        if (!finds_unfenced(s, wait->instr, &path)) continue;
        join_arrival_path(s, bar->instr, &path);
        proxy_fence_missing_report(s, &path, LINT_WARNING);
        return;
    }
}

/* The arrive only arms a copy, and threads wait for the data of the copy: the thread has another
 * arrive for the data that it stored. */
static bool arms_copy_only(struct search *s, const struct barrier_use *arrival)
{
    return arrival->kind == BARRIER_ARRIVE_EXPECT && arrivals_later(s)->count;
}

static void check_proxy_group(struct search *s)
{
    struct walk_path path;
    if (!s->group.count) return;
    s->unfenced.count = s->told.count = s->later.count = s->end_count = s->bar_count = 0;
    s->later_known = true; /* no fence has ended a path yet */
    s->reported = false;
    s->writes = s->group.at[0]->writes;
    s->kind = proxy_kinds_find(s->kinds, &s->group);
    uint32_t last = s->group.at[s->group.count - 1]->instr;
    s->quiet = !s->writes && !s->fences &&
               !proxy_kind_ahead(s->lint, s->kind, s->lint->cfg->block_of[last]);
    if (!may_meet_target(s, last) && (s->writes || !s->fences)) {
        s->group.count = 0;
        return;
    }
    if (finds_own(s, last, &path)) {
        path.instrs[0] = s->met->instr;
        proxy_fence_missing_report(s, &path, LINT_WARNING);
    } else {
        struct own_arrivals told = s->told;
        s->later_known = !told.count;
        for (uint32_t i = 0; i < told.count; i++)
            if (!arms_copy_only(s, told.at[i]) && !ask_those_who_wait(s, told.at[i], false))
                (void)ask_those_who_wait(s, told.at[i], true);
        uint32_t bars = s->bar_count;
        for (uint32_t i = 0; i < bars; i++) ask_those_who_meet(s, s->bars[i]);
        for (int i = 0; i < 2; i++) walk_question_end(s->lint, &s->unfenced_behind[i]);
        if (!s->writes && !s->reported) note_fenced(s);
    }
    s->group.count = 0;
}

/* The thread arrives between the group and instr, which is in the same block. */
static bool arrives_ahead(const struct search *s, uint32_t instr)
{
    lint_spend(s->lint, instr - s->group.at[s->group.count - 1]->instr);
    for (uint32_t i = s->group.at[s->group.count - 1]->instr + 1; i < instr; i++) {
        const struct barrier_use *use = barriers_at(s->lint->subject, i);
        if (use && own_arrivals_is(use)) return true;
    }
    return false;
}

/* Handles a fence in the block of the group, after the group. */
static void pass_fenced(struct search *s, uint32_t fence)
{
    if (!s->group.count) return;
    if (arrives_ahead(s, fence)) {
        check_proxy_group(s);
        return;
    }
    if (s->group.at[0]->writes) return;
    s->end_count = 0;
    note_end(s, fence);
    note_fenced(s);
}

/* Some access through the other proxy touches the same place. */
static bool has_other(struct search *s, const struct smem_place *access)
{
    enum { FEW = 16 }; /* to compare each takes less time than to look for those of one place */
    uint32_t count = s->async[!access->writes].count;
    for (uint32_t i = 0; i < count && count <= FEW; i++) {
        const struct smem_place *other = s->async[!access->writes].at[i];
        if (other->base.base == access->base.base && smem_places_meet(access, other)) return true;
    }
    if (count <= FEW) return false;
    return smem_meetings_of(s->lint, s->meetings, access, &s->room).async[!access->writes];
}

/* Removes from the group the accesses whose guard is that of the fence: a thread that executes them
 * executes the fence too. */
static void drop_fenced(struct search *s, uint32_t fence)
{
    struct value guard = value_of_guard(s->lint->subject, fence);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->group.count; i++) {
        const struct smem_place *access = s->group.at[i];
        if (!value_same(value_of_guard(s->lint->subject, access->instr), guard))
            s->group.at[kept++] = access;
    }
    s->group.count = kept;
}

static void find_of_kind(struct search *s, bool writes)
{
    const struct lint *lint = s->lint;
    uint32_t at = 0, block = 0;
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        if (lint->cfg->block_of[i] != block) check_proxy_group(s);
        block = lint->cfg->block_of[i];
        bool fence = is_any_proxy_fence(lint, i);
        bool guarded = lint->function->instrs[i].guard != REG_NONE;
        if (fence && guarded) drop_fenced(s, i);
        if (fence && !guarded) pass_fenced(s, i);
        if ((fence && !guarded) || lint_effect(lint, i) == EFFECT_CALL) s->group.count = 0;
        for (; at < s->all.count && s->all.at[at].instr == i; at++) {
            const struct smem_place *access = &s->all.at[at];
            if (access->async) check_proxy_group(s);
            if (!access->async && access->writes == writes && has_other(s, access))
                vec_push(&s->group, access);
        }
    }
    check_proxy_group(s);
}

static bool has_async_access(const struct lint *lint)
{
    const struct smem_accesses *accesses = smem_accesses_find(lint->subject);
    lint_spend(lint, accesses->count / 8);
    for (uint32_t i = 0; i < accesses->count; i++)
        if (accesses->at[i].async) return true;
    return false;
}

static void proxy_fence_missing_find(struct lint *lint)
{
    if (!has_async_access(lint)) return;
    struct search s = {.lint = lint, .all = smem_places_find(lint)};
    for (uint32_t i = 0; i < s.all.count; i++)
        if (s.all.at[i].async) vec_push(&s.async[s.all.at[i].writes], &s.all.at[i]);
    bool async = s.async[0].count || s.async[1].count;
    bool generic = s.async[0].count + s.async[1].count < s.all.count;
    for (uint32_t n = 0; n < lint->function->notable_count; n++)
        s.fences |= is_any_proxy_fence(lint, lint->function->notable[n]);
    if (async && generic) {
        s.meetings = smem_meetings_find(lint);
        s.kinds = proxy_kinds_new(lint, &s.all, s.meetings);
        find_of_kind(&s, true);
        find_of_kind(&s, false);
        report_refills(&s);
        proxy_kinds_free(s.kinds);
    }
    if (async) proxy_fence_peer_find(lint, &lint_proxy_fence_missing, &s.all);
    if (async) proxy_fence_global_find(lint, &lint_proxy_fence_missing);
    if (async) proxy_fence_map_find(lint, &lint_proxy_fence_missing);
    for (int i = 0; i < 2; i++) vec_free(&s.async[i]);
    vec_free(&s.room);
    vec_free(&s.known_ends);
    vec_free(&s.fenced);
    vec_free(&s.refills);
    vec_free(&s.group);
}

const struct lint_code lint_proxy_fence_missing = {
    .id = "proxy-fence-missing",
    .section = "9.7.16.6.5",
    .summary = "the generic and the asynchronous proxy access shared memory with no proxy fence",
    .sentence = "Accessing the same memory location across miltiple proxies needs a cross-proxy "
                "fence. For the async proxy, `fence.proxy.async` should be used to synchronize "
                "memory between generic proxy and the async proxy.",
    .risk = "the mma or copy reads old data, or overwrites data that is still to be read; "
            "a barrier orders the threads, not the proxies",
    .explanation =
        "Broken:  st.shared [s], r; bar.sync 0; tcgen05.mma … (descriptor of s)\n"
        "Right:   st.shared [s], r; fence.proxy.async.shared::cta; bar.sync 0; tcgen05.mma …\n"
        "Broken:  ld.shared r, [s]; bar.sync 0; cp.async.bulk … [s], [global], …, [mbarrier]\n"
        "Right:   ld.shared r, [s]; fence.proxy.async.shared::cta; bar.sync 0; cp.async.bulk …\n"
        "The mma may also be wgmma.mma_async; then a finding for a cp.async is a note. Reported "
        "if both certainly access the same place: the same symbol or base with the same constant "
        "offset. Of a matrix descriptor lint compares the address, and of a ring of stages the "
        "first stage. If each thread stores at its own place, lint compares only the lowest of "
        "these places. Lint assumes that a copy reads that place if its source begins there, or "
        "begins below it with no other access, no mbarrier and no word for the address from "
        "tcgen05.alloc between the two, and no copy fills the source. The second access follows in "
        "the same thread, or in another thread after its wait for an mbarrier at which the first "
        "thread arrives. A store to the shared memory of another CTA is followed to the reads "
        "there. A store to global memory is followed, in the same thread, to a bulk copy of that "
        "place, and behind a flag to one from the same pointer; a write of a tensor map, to a copy "
        "that uses it. A stage that was read, released by an mbarrier and refilled is a note, "
        "since kernels rely on the mbarrier alone; it is a warning if two other stages are "
        "released after a fence and this is the only one that is not. A fence with a guard counts "
        "only for the threads that execute it. Not reported: a path with a fence anywhere, also by "
        "the reading thread; an arrive.expect_tx, which arms a copy, of a thread that arrives "
        "again after a fence; a copy, or a wait for one, that fills the place again; what another "
        "CTA does with its own shared memory after an arrive there; a pair of an address that a "
        "loop changes and a constant one; anything after a call.",
    .find = proxy_fence_missing_find,
};
