/* before-commit: the fence that a commit performs anyway. The explanation below is the rule's
 * contract. */
#include "order/loss.h"
#include "rules/rule.h"

struct question {
    const struct facts *facts;
    struct verdict *verdict;
    struct VEC(uint32_t) commits;
};

/* What stands between the fence and its commit, or REASON_NONE when it does not matter. */
static enum reason obstacle(enum effect effect)
{
    if (effect_is_async(effect)) return REASON_ASYNC_OP;
    switch (effect) {
    case EFFECT_REGISTER:
    case EFFECT_MEMORY:
        return REASON_NONE;
    case EFFECT_WAIT_LD:
    case EFFECT_WAIT_ST:
        return REASON_WAIT;
    case EFFECT_FENCE_BEFORE:
    case EFFECT_FENCE_AFTER:
        return REASON_FENCE;
    case EFFECT_ACQUIRE_BARRIER:
    case EFFECT_ACQUIRE_MEMORY:
        return REASON_ACQUIRE;
    case EFFECT_COMMIT:
        return REASON_COMMIT;
    case EFFECT_CALL:
        return REASON_CALL;
    case EFFECT_EXIT:
        return REASON_EXIT;
    case EFFECT_ALLOC:
        return REASON_OBSERVER;
    default:
        return REASON_RELEASE;
    }
}

static enum step visit(void *context, uint32_t i, unsigned *state)
{
    (void)state;
    struct question *q = context;
    enum reason reason = obstacle(facts_effect(q->facts, i));
    if (reason == REASON_NONE) return STEP_ON;
    if (reason != REASON_COMMIT || !facts_always(q->facts, i))
        return rule_decline(q->verdict, reason, i);
    vec_push(&q->commits, i);
    return STEP_DONE;
}

static bool writes(const struct facts *facts, uint32_t i, reg_id reg)
{
    const struct instr *instr = facts_instr(facts, i);
    for (uint32_t u = 0; u < instr->use_count; u++) {
        const struct use *use = &facts->function->uses[instr->first_use + u];
        if (use->write && use->reg == reg) return true;
    }
    return false;
}

/* `@p fence; @p commit`: they run together when nothing can come between them or change p. */
static void find_guarded_commit(struct question *q, uint32_t site)
{
    const struct facts *facts = q->facts;
    const struct instr *fence = facts_instr(facts, site);
    uint32_t end = facts->cfg->blocks[facts->cfg->block_of[site]].end;
    for (uint32_t i = site + 1; i < end; i++) {
        if (facts->deleted[i]) continue;
        const struct instr *instr = facts_instr(facts, i);
        if (instr->opcode->effect == EFFECT_COMMIT && instr->guard == fence->guard &&
            instr->guard_negated == fence->guard_negated) {
            vec_push(&q->commits, i);
            return;
        }
        if (obstacle(instr->opcode->effect) != REASON_NONE || writes(facts, i, fence->guard)) break;
    }
    rule_decline(q->verdict, REASON_GUARDED, site);
}

/* After the commit nobody may miss that earlier operations were ordered before later ones, nor that
 * they come before an ordering operation that a commit's fence does not hold back. */
static void check_later(struct question *q, uint32_t site)
{
    struct pending unordered;
    pending_collect(&unordered, q->facts, site, PENDING_ASYNC | PENDING_SINCE_FENCE);
    struct loss loss = {.facts = q->facts,
                        .unordered = &unordered,
                        .untracked = NO_WITNESS,
                        .relayed = NO_WITNESS,
                        .verdict = *q->verdict};
    if (unordered.hidden) rule_decline(&loss.verdict, unordered.hidden, unordered.hidden_at);
    for (uint32_t i = 0; i < q->commits.count && loss.verdict.reason == REASON_NONE; i++)
        loss_walk(&loss, q->commits.at[i], LOST_ISSUE | LOST_BEYOND_COMMIT);
    if (loss.verdict.reason == REASON_NONE && !pair_regs_unchanged(q->facts, site, &loss.regs))
        rule_decline(&loss.verdict, REASON_NOT_PIPELINED, NO_WITNESS);
    *q->verdict = loss.verdict;
    vec_free(&loss.regs);
    pending_free(&unordered);
}

/* What the fence publishes must be what the commit tracks: some mma, cp or shift and, since the
 * last fence::before, no load or store and no wait that has completed one; and, behind whatever was
 * taken over, an mma, cp or shift that certainly runs. */
static void check_tracked(const struct facts *facts, uint32_t site, struct verdict *verdict)
{
    struct pending pending;
    pending_collect(&pending, facts, site,
                    PENDING_ASYNC | PENDING_SINCE_FENCE_BEFORE | PENDING_EVEN_WAITED);
    uint32_t untracked = pending_untracked(&pending, facts);
    uint32_t relayed = loss_find_relayed(facts, site);
    if (pending.hidden)
        rule_decline(verdict, pending.hidden, pending.hidden_at);
    else if (untracked != NO_WITNESS || !pending.ops.count)
        rule_decline(verdict, REASON_UNTRACKED, untracked);
    else if (relayed != NO_WITNESS)
        rule_decline(verdict, REASON_RECEIVED, relayed);
    pending_free(&pending);
}

static void match(const struct facts *facts, uint32_t site, struct verdict *verdict)
{
    struct question question = {.facts = facts, .verdict = verdict};
    if (facts_always(facts, site))
        walk_forward(facts, site, 0, visit, &question);
    else
        find_guarded_commit(&question, site);
    if (verdict->reason == REASON_NONE && !question.commits.count)
        rule_decline(verdict, REASON_NO_COVER, NO_WITNESS);
    if (verdict->reason == REASON_NONE) check_tracked(facts, site, verdict);
    if (verdict->reason == REASON_NONE && rule_assumes(facts, ASSUME_COMMIT_FENCES, verdict)) {
        check_later(&question, site);
        if (verdict->reason == REASON_NONE) verdict->witness = question.commits.at[0];
    }
    vec_free(&question.commits);
}

const struct rule rule_before_commit = {
    .id = "before-commit",
    .deletes = "tcgen05.fence::before_thread_sync",
    .section = "9.7.16.6.4.2",
    .summary = "on every path a commit comes next, and it tracks all that is not waited for",
    .explanation =
        "Before:  mma; fence::before_thread_sync; commit [bar]\n"
        "After:   mma; commit [bar]\n"
        "\n"
        "Sound because \"no explicit tcgen05.fence::before_thread_sync is needed as this is\n"
        "implicitly performed by tcgen05.commit\" for the operations that it tracks: mma, cp and\n"
        "shift of its .cta_group. A guarded fence goes with a commit under the same guard.\n"
        "\n"
        "Declined: a load, store or wait since the last fence::before_thread_sync (a commit tracks\n"
        "none); nothing that the commit tracks; a fence::after_thread_sync with no unguarded mma, cp\n"
        "or shift behind it (only what the commit tracks passes on what was taken over); a commit\n"
        "that may not run; anything but register work and weak memory accesses between fence and\n"
        "commit; after the commit and before the next fence, an asynchronous operation that is no\n"
        "pipelined pair with the earlier ones, a call, or an ordering operation that is neither an\n"
        "mbarrier nor a barrier instruction: ptxas was seen to move those above what is tracked.\n"
        "\n"
        "Assumes commit-fences: the commit's fence also counts towards later mbarrier and barrier\n"
        "instructions.",
    .because = "%s performs the same fence for everything that is not waited for",
    .candidates = CANDIDATE(EFFECT_FENCE_BEFORE),
    .match = match,
    .handles_guard = true,
};
