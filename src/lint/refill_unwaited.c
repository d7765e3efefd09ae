/* Looks for what overwrites the data behind signals for which no thread waits. See
 * refill_unwaited.h. */
#include "lint/refill_unwaited.h"

#include "base/vec.h"
#include "lint/handover.h"
#include "lint/otherwise.h"
#include "lint/smem_meetings.h"
#include "lint/unwaited.h"

struct refill_search {
    struct lint *lint;
    const struct lint_code *code;
    const struct handover *signal;
    struct item_list room;
};

/* Both are executed in each round of a loop, and no wait orders the write after the read. */
static bool is_in_next_round(const struct refill_search *s, uint32_t read, uint32_t write)
{
    const struct lint *lint = s->lint;
    return handover_reaches(lint, write, write) && handover_reaches(lint, read, read) &&
           otherwise_first(lint, read, write) == lint->handovers->count &&
           !otherwise_told_by_others(lint, read, write);
}

/* The code has reported another instruction of the block. */
static bool is_known(const struct refill_search *s, uint32_t write)
{
    const struct lint *lint = s->lint;
    const uint32_t *block_of = lint->cfg->block_of;
    lint_spend(lint, lint->hazards.count);
    for (uint32_t i = 0; i < lint->hazards.count; i++)
        if (lint->hazards.at[i].code == s->code &&
            block_of[lint->hazards.at[i].at] == block_of[write])
            return true;
    return false;
}

static bool report_refill(const struct refill_search *s, uint32_t read, uint32_t write)
{
    if (!is_in_next_round(s, read, write)) return false;
    if (is_known(s, write)) return true;
    lint_report(s->lint, (struct hazard){s->code, LINT_WARNING, write, read,
                                         "this overwrites what %s reads[ in the round before], "
                                         "whose mbarrier no thread waits for",
                                         "wait for that mbarrier before it", NULL, 0, NULL});
    return true;
}

/* Other threads overwrite the columns of the load. */
static bool report_overwritten(const struct refill_search *s, const struct tensor_op *load)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    lint_spend(lint, all->writer_count);
    for (uint32_t i = 0; i < all->writer_count; i++) {
        const struct tensor_op *op = &all->ops[all->writers[i]];
        if (!handover_other_thread(lint, load->instr, op->instr) ||
            !handover_likely_conflict(lint, load, op))
            continue;
        if (report_refill(s, load->instr, op->instr)) return true;
    }
    return false;
}

static bool report_columns(const struct refill_search *s)
{
    const struct handovers *all = s->lint->handovers;
    lint_spend(s->lint, all->op_count);
    for (uint32_t i = 0; i < all->op_count; i++) {
        const struct tensor_op *op = &all->ops[i];
        if (lint_effect(s->lint, op->instr) == EFFECT_ASYNC_LD &&
            handover_reaches(s->lint, op->instr, s->signal->instr) && report_overwritten(s, op))
            return true;
    }
    return false;
}

/* A commit tells of the reads of the asynchronous proxy, an arrive of those of its thread. */
static bool report_stage(struct refill_search *s)
{
    const struct smem_meetings *meetings = smem_meetings_find(s->lint);
    const struct smem_places places = smem_places_find(s->lint);
    bool commit = s->signal->use->kind == BARRIER_COMMIT;
    lint_spend(s->lint, places.count);
    for (uint32_t i = 0; i < places.count; i++) {
        const struct smem_place *read = &places.at[i];
        if (read->writes || read->async != commit) continue;
        if (!handover_reaches(s->lint, read->instr, s->signal->instr)) continue;
        const struct meeting_list near = smem_meetings_of(s->lint, meetings, read, &s->room);
        for (uint32_t k = 0; k < near.count; k++) {
            const struct smem_place *write = &places.at[near.at[k]];
            if (write->writes && report_refill(s, read->instr, write->instr)) return true;
        }
    }
    return false;
}

void refill_unwaited_report(struct lint *lint, const struct lint_code *code)
{
    struct refill_search s = {.lint = lint, .code = code};
    struct unwaited_told told = unwaited_begin(lint);
    uint32_t examined = 0;
    for (uint32_t i = 0; i < lint->handovers->count && examined < UNWAITED_MAX; i++) {
        const struct barrier_use *use = unwaited_at(lint, i);
        if (!use || (use->kind != BARRIER_COMMIT && use->kind != BARRIER_ARRIVE)) continue;
        if (unwaited_is_told(lint, &told, use)) continue;
        examined++;
        s.signal = &lint->handovers->at[i];
        if (report_columns(&s) || report_stage(&s)) unwaited_tell(&told, use);
    }
    vec_free(&s.room);
}
