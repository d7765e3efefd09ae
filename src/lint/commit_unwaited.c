/* Finds commits to an mbarrier that no thread waits for. See commit_unwaited.h. */
#include "lint/commit_unwaited.h"

#include "lint/handover.h"

static bool has_waiter(const struct lint *lint, const struct handover *commit)
{
    const struct handovers *all = lint->handovers;
    return handover_waits(lint, (uint32_t)(commit - all->at))->count > 0;
}

/* A load after the commit that reads what an mma before the commit writes; NULL: none. */
static const struct tensor_op *loaded_behind(const struct lint *lint, uint32_t commit)
{
    const struct handovers *all = lint->handovers;
    for (uint32_t i = all->op_count; i-- > 0;) {
        if (lint_effect(lint, all->ops[i].instr) != EFFECT_ASYNC_LD) continue;
        if (!handover_reaches(lint, commit, all->ops[i].instr)) continue;
        for (uint32_t k = all->op_count; k-- > 0;)
            if (effect_is_pipe(lint_effect(lint, all->ops[k].instr)) &&
                handover_likely_conflict(lint, &all->ops[k], &all->ops[i]) &&
                handover_reaches(lint, all->ops[k].instr, commit))
                return &all->ops[i];
    }
    return NULL;
}

static void check_commit_waited(struct lint *lint, const struct lint_code *code,
                                const struct handover *commit)
{
    if (commit->channel != CHANNEL_MBARRIER || commit->use->kind != BARRIER_COMMIT ||
        commit->use->indexed || commit->use->remote || value_is_none(commit->use->object) ||
        has_waiter(lint, commit))
        return;
    const struct tensor_op *load = loaded_behind(lint, commit->instr);
    if (!load) return;
    lint_report(lint, (struct hazard){code, LINT_WARNING, commit->instr, load->instr,
                                      "no thread waits for the mbarrier of this commit[, and %s "
                                      "loads what an operation before it writes]",
                                      "wait for that mbarrier before %s", NULL, 0, NULL});
}

void commit_unwaited_report(struct lint *lint, const struct lint_code *code)
{
    const struct handovers *all = lint->handovers;
    for (uint32_t i = 0; i < all->count; i++) check_commit_waited(lint, code, &all->at[i]);
}
