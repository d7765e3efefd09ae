/* pair-completion: advice on a commit and wait that only separate a pipelined pair. The explanation
 * below is the rule's contract. */
#include "order/pair.h"
#include "order/pending.h"
#include "rules/rule.h"

struct question {
    const struct facts *facts;
    struct verdict *verdict;
    const struct pending *tracked;
    struct pair_regs regs;
    bool waited;
};

static enum step at_async(struct question *q, uint32_t i)
{
    uint32_t assumptions = 0; /* advice assumes what it likes */
    for (uint32_t n = 0; n < q->tracked->ops.count; n++)
        if (!pair_is_pipelined(q->facts, q->tracked->ops.at[n], i, &q->regs, &assumptions))
            return rule_decline(q->verdict, REASON_NOT_PIPELINED, i);
    if (!q->waited) return rule_decline(q->verdict, REASON_NO_COVER, i);
    q->verdict->witness = i;
    return STEP_DONE;
}

static enum step visit(void *context, uint32_t i, unsigned *state)
{
    (void)state;
    struct question *q = context;
    enum effect effect = facts_effect(q->facts, i);
    if (effect_is_async(effect)) return at_async(q, i);
    switch (effect) {
    case EFFECT_ACQUIRE_BARRIER:
    case EFFECT_ACQUIRE_MEMORY:
        q->waited = true;
        return STEP_ON;
    case EFFECT_REGISTER:
    case EFFECT_MEMORY:
    case EFFECT_FENCE_AFTER:
        return STEP_ON;
    default:
        return rule_decline(q->verdict, REASON_RELEASE, i);
    }
}

static void match(const struct facts *facts, uint32_t site, struct verdict *verdict)
{
    struct pending tracked;
    pending_collect(&tracked, facts, site, PENDING_ASYNC | PENDING_SINCE_FENCE);
    struct question question = {.facts = facts, .verdict = verdict, .tracked = &tracked};
    bool paired =
        !tracked.hidden && tracked.ops.count && walk_forward(facts, site, 0, visit, &question) &&
        verdict->witness != NO_WITNESS && pair_regs_unchanged(facts, site, &question.regs);
    if (!paired) rule_decline(verdict, REASON_NOT_PIPELINED, verdict->witness);
    vec_free(&question.regs);
    pending_free(&tracked);
}

const struct rule rule_pair_completion = {
    .id = "pair-completion",
    .deletes = "tcgen05.commit",
    .section = "9.7.16.6.2",
    .summary = "a commit and its wait only separate a pipelined pair",
    .explanation = "Seen:    mma [d]; commit [a]; try_wait [a]; fence::after_thread_sync; mma [d]\n"
                   "\n"
                   "The two mma execute in order without the round trip. But the wait may also "
                   "guard the reuse\n"
                   "of shared memory, or keep the phases of the mbarrier apart: this is advice, "
                   "never an edit.",
    .because = "the wait behind it only separates a pipelined pair that ends at %s",
    .candidates = CANDIDATE(EFFECT_COMMIT),
    .match = match,
};
