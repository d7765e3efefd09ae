/* Looks for the data behind signals for which no thread waits. See signal_unwaited.h. */
#include "lint/signal_unwaited.h"

#include "base/vec.h"
#include "lint/handover.h"
#include "lint/otherwise.h"
#include "lint/smem_meetings.h"
#include "lint/unwaited.h"
#include "value/condition_pairs.h"

struct unwaited_search {
    struct lint *lint;
    const struct lint_code *code;
    uint32_t signal; /* index in handovers->at */
    bool twice;      /* a commit, and another one tracks the same operations later */
    struct item_list room;
};

/* The access at `first`, of the thread that signals, is before the signal. */
static bool is_before_signal(const struct unwaited_search *s, uint32_t first)
{
    const struct handover *signal = &s->lint->handovers->at[s->signal];
    return handover_reaches(s->lint, first, signal->instr);
}

/* No wait orders the use after the write. */
static bool is_use_unordered(const struct unwaited_search *s, uint32_t write, uint32_t use)
{
    const struct lint *lint = s->lint;
    return write != use && handover_other_thread(lint, write, use) &&
           otherwise_first(lint, write, use) == lint->handovers->count;
}

/* ---- tensor memory ---- */

static bool is_written_by(const struct unwaited_search *s, enum effect effect)
{
    bool commit = s->lint->handovers->at[s->signal].use->kind == BARRIER_COMMIT;
    return commit ? effect_is_pipe(effect) : effect == EFFECT_ASYNC_ST;
}

/* Reports the load, or the mma, that needs what the operation writes. */
static bool report_reader_of(const struct unwaited_search *s, const struct tensor_op *op)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    bool commit = all->at[s->signal].use->kind == BARRIER_COMMIT;
    for (uint32_t i = 0; i < all->op_count; i++) {
        uint32_t instr = all->ops[i].instr;
        enum effect effect = lint_effect(lint, instr);
        if (effect != EFFECT_ASYNC_LD && (commit || effect != EFFECT_ASYNC_MMA)) continue;
        if (!handover_likely_conflict(lint, op, &all->ops[i])) continue;
        bool same = handover_reaches(lint, all->at[s->signal].instr, instr);
        bool other = commit && !s->twice ? handover_other_thread(lint, op->instr, instr)
                                         : is_use_unordered(s, op->instr, instr);
        if (!same && !other) continue;
        if (lint_has_named(lint, s->code, op->instr) || lint_has_named(lint, s->code, instr))
            return true;
        lint_report(s->lint, (struct hazard){
                                 s->code, LINT_WARNING, instr, op->instr,
                                 "this uses the result of %s, whose mbarrier no thread waits for",
                                 "wait for that mbarrier before it", NULL, 0, NULL});
        return true;
    }
    return false;
}

/* The thread comes to another commit later in the text, which tracks the same operations. */
static bool is_committed_twice(const struct lint *lint, uint32_t commit)
{
    const struct handovers *all = lint->handovers;
    for (uint32_t i = handover_from(all, commit + 1); i < all->count; i++)
        if (lint_effect(lint, all->at[i].instr) == EFFECT_COMMIT &&
            handover_reaches(lint, commit, all->at[i].instr))
            return true;
    return false;
}

static bool report_tensor_result(const struct unwaited_search *s)
{
    const struct handovers *all = s->lint->handovers;
    lint_spend(s->lint, all->op_count);
    for (uint32_t i = all->op_count; i-- > 0;) {
        const struct tensor_op *op = &all->ops[i];
        if (!op->writes || !is_written_by(s, lint_effect(s->lint, op->instr))) continue;
        if (is_before_signal(s, op->instr) && report_reader_of(s, op)) return true;
    }
    return false;
}

/* ---- shared memory ---- */

/* The use is not only before the copy. */
static bool is_behind_copy(const struct lint *lint, uint32_t copy, uint32_t use)
{
    if (copy == use) return false;
    return handover_reaches(lint, copy, use) || !handover_reaches(lint, use, copy);
}

/* The first mma or cp that reads the same variable, at an address that is not known. */
static uint32_t reader_of_object(const struct lint *lint, const struct smem_places *places,
                                 const struct smem_place *copy)
{
    lint_spend(lint, places->count / 8);
    for (uint32_t i = 0; i < places->count; i++) {
        const struct smem_place *use = &places->at[i];
        if (effect_is_pipe(lint_effect(lint, use->instr)) && use->moves && !use->ring &&
            use->base.base == copy->base.base)
            return use->instr;
    }
    return NO_INSTR;
}

static bool report_access_to(struct unwaited_search *s, const struct smem_meetings *meetings,
                             const struct smem_places *places, const struct smem_place *write)
{
    const struct lint *lint = s->lint;
    uint32_t at = NO_INSTR;
    const struct meeting_list near = smem_meetings_of(lint, meetings, write, &s->room);
    for (uint32_t i = 0; i < near.count; i++) {
        const struct smem_place *use = &places->at[near.at[i]];
        if (use->writes || use->instr >= at) continue;
        if (write->copy ? is_behind_copy(lint, write->instr, use->instr)
                        : is_use_unordered(s, write->instr, use->instr))
            at = use->instr;
    }
    if (at == NO_INSTR && write->copy) at = reader_of_object(lint, places, write);
    if (at == NO_INSTR) return false;
    lint_report(
        s->lint,
        (struct hazard){
            s->code, LINT_WARNING, at, write->instr,
            "this reads what %s writes[ to shared memory], whose mbarrier no thread waits for",
            "wait for that mbarrier before it", NULL, 0, NULL});
    return true;
}

static bool report_shared(struct unwaited_search *s)
{
    const struct handover *signal = &s->lint->handovers->at[s->signal];
    const struct smem_meetings *meetings = smem_meetings_find(s->lint);
    const struct smem_places places = smem_places_find(s->lint);
    bool copy = signal->use->kind == BARRIER_COPY;
    uint32_t count = places.count;
    const struct smem_place *at = copy ? smem_places_of(&places, signal->instr, &count) : places.at;
    for (uint32_t i = 0; i < count; i++) {
        if (!at[i].writes || at[i].async != copy) continue;
        if (!copy && !is_before_signal(s, at[i].instr)) continue;
        if (report_access_to(s, meetings, &places, &at[i])) return true;
    }
    return false;
}

static bool report_signal(struct unwaited_search *s)
{
    const struct handover *signal = &s->lint->handovers->at[s->signal];
    s->twice = signal->use->kind == BARRIER_COMMIT && is_committed_twice(s->lint, signal->instr);
    switch (signal->use->kind) {
    case BARRIER_COMMIT: return report_tensor_result(s);
    case BARRIER_COPY: return report_shared(s);
    case BARRIER_ARRIVE: return report_tensor_result(s) || report_shared(s);
    default: return false;
    }
}

void signal_unwaited_report(struct lint *lint, const struct lint_code *code)
{
    struct unwaited_search s = {.lint = lint, .code = code};
    struct unwaited_told told = unwaited_begin(lint);
    uint32_t examined = 0;
    for (; s.signal < lint->handovers->count && examined < UNWAITED_MAX; s.signal++) {
        const struct barrier_use *use = unwaited_at(lint, s.signal);
        if (!use || unwaited_is_told(lint, &told, use)) continue;
        examined++;
        if (report_signal(&s)) unwaited_tell(&told, use);
    }
    vec_free(&s.room);
}
