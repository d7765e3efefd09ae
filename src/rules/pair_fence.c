/* pair-fence: a fence between instructions that form a pipeline. The explanation below is the
 * rule's contract. */
#include "order/loss.h"
#include "rules/rule.h"

struct question {
    const struct facts *facts;
    struct verdict *verdict;
};

/* Is there an ordering operation that only this fence::after keeps later ones behind? */
static enum step visit_received(void *context, uint32_t i, unsigned *state)
{
    (void)state;
    struct question *q = context;
    if (i == WALK_ENTRY) {
        if (q->facts->function->is_entry) return STEP_DONE;
        return rule_decline(q->verdict, REASON_FUNCTION_EDGE, NO_WITNESS);
    }
    switch (facts_effect(q->facts, i)) {
    case EFFECT_ACQUIRE_BARRIER:
    case EFFECT_ACQUIRE_MEMORY:
    case EFFECT_BOTH_BARRIER:
    case EFFECT_BOTH_MEMORY:
        return rule_decline(q->verdict, REASON_RECEIVED, i);
    case EFFECT_RELEASE_BARRIER:
    case EFFECT_RELEASE_MEMORY:
    case EFFECT_ALLOC:
    case EFFECT_COMMIT:
        return rule_decline(q->verdict, REASON_RELEASED, i);
    case EFFECT_CALL:
        return rule_decline(q->verdict, REASON_CALL, i);
    case EFFECT_FENCE_AFTER:
        return facts_always(q->facts, i) ? STEP_DONE : STEP_ON;
    default:
        return STEP_ON;
    }
}

static void check_pairs(const struct facts *facts, uint32_t site, struct verdict *verdict,
                        const struct pending *unordered, const struct pending *unpublished)
{
    bool before = facts_effect(facts, site) == EFFECT_FENCE_BEFORE;
    struct loss loss = {.facts = facts,
                        .unordered = unordered,
                        .verdict = *verdict,
                        .untracked = pending_untracked(before ? unpublished : unordered, facts),
                        .relayed = loss_find_relayed(facts, site)};
    loss_walk(&loss, site, before ? LOST_ISSUE | LOST_PUBLISH : LOST_ISSUE);
    if (loss.verdict.reason == REASON_NONE &&
        (!loss.met_async || !pair_regs_unchanged(facts, site, &loss.regs)))
        rule_decline(&loss.verdict, REASON_NOT_PIPELINED, NO_WITNESS);
    *verdict = loss.verdict;
    vec_free(&loss.regs);
}

static void match(const struct facts *facts, uint32_t site, struct verdict *verdict)
{
    struct question question = {facts, verdict};
    if (facts_effect(facts, site) == EFFECT_FENCE_AFTER &&
        !walk_backward(facts, site, 0, visit_received, &question))
        return;
    struct pending unordered, unpublished;
    pending_collect(&unpublished, facts, site,
                    PENDING_ASYNC | PENDING_SINCE_FENCE_BEFORE | PENDING_EVEN_WAITED);
    pending_collect(&unordered, facts, site, PENDING_ASYNC | PENDING_SINCE_FENCE);
    if (unpublished.hidden)
        rule_decline(verdict, unpublished.hidden, unpublished.hidden_at);
    else
        check_pairs(facts, site, verdict, &unordered, &unpublished);
    if (verdict->reason == REASON_NONE && unordered.ops.count)
        verdict->witness = unordered.ops.at[0];
    pending_free(&unordered);
    pending_free(&unpublished);
}

const struct rule rule_pair_fence = {
    .id = "pair-fence",
    .deletes = "tcgen05.fence::before_thread_sync, tcgen05.fence::after_thread_sync",
    .section = "9.7.16.6.2",
    .summary = "all that it orders are pipelined pairs of the same thread",
    .explanation =
        "Before:  tcgen05.cp [t], s; fence::after_thread_sync; tcgen05.mma [d], a, b, i, [t], [u], "
        "p\n"
        "After:   tcgen05.cp [t], s; tcgen05.mma [d], a, b, i, [t], [u], p\n"
        "\n"
        "Sound because \"two asynchronous operations [of a pair] are guaranteed to execute in the\n"
        "same order as the instructions that issued them\". A pair counts when every version of "
        "the\n"
        "ISA grants it: mma -> mma with the same accumulator, descriptor and modifiers; cp -> "
        "mma,\n"
        "shift -> mma, shift -> cp.4x256b and mma -> shift with the same tensor-memory address, of\n"
        "an mma that of A or of the metadata; registers unchanged between the two.\n"
        "\n"
        "Declined: before the next fence an operation that is no such pair with each one issued\n"
        "since the last fence; mma -> mma where the second reads A from tensor memory, which the\n"
        "first may write; for fence::before an ordering operation behind it (a commit that tracks\n"
        "everything stands in towards mbarriers and barriers); for fence::after an ordering\n"
        "operation or commit before it; tensor-memory allocation, a call, the edge of a .func.\n"
        "\n"
        "Assumes commit-fences when a commit stands in, scales-follow-cp for cp -> mma by a scale;\n"
        "isa-9.4-pairs adds st -> ld, st -> st and ld -> st of the same address.",
    .because = "all that it orders are pipelined pairs, which execute in the order of their issue",
    .candidates = CANDIDATE(EFFECT_FENCE_BEFORE) | CANDIDATE(EFFECT_FENCE_AFTER),
    .match = match,
};
