/* wait-idle: a wait with nothing to wait for. The explanation below is the rule's contract. */
#include "rules/rule.h"

struct question {
    const struct facts *facts;
    struct verdict *verdict;
    enum effect wait, issue;
};

static enum step visit(void *context, uint32_t i, unsigned *state)
{
    (void)state;
    struct question *q = context;
    if (i == WALK_ENTRY) {
        if (q->facts->function->is_entry) return STEP_DONE;
        return rule_decline(q->verdict, REASON_FUNCTION_EDGE, NO_WITNESS);
    }
    enum effect effect = facts_effect(q->facts, i);
    if (effect == q->issue) return rule_decline(q->verdict, REASON_ASYNC_OP, i);
    if (effect == EFFECT_CALL) return rule_decline(q->verdict, REASON_CALL, i);
    if (effect != q->wait || !facts_always(q->facts, i)) return STEP_ON;
    q->verdict->witness = i;
    return STEP_DONE;
}

static void match(const struct facts *facts, uint32_t site, struct verdict *verdict)
{
    enum effect wait = facts_effect(facts, site);
    enum effect issue = wait == EFFECT_WAIT_LD ? EFFECT_ASYNC_LD : EFFECT_ASYNC_ST;
    if (!rule_assumes(facts, ASSUME_SYNC_IS_NO_BARRIER, verdict)) return;
    if (walk_backward(facts, site, 0, visit, &(struct question){facts, verdict, wait, issue}))
        rule_decline_if_meant(facts, site, verdict);
}

const struct rule rule_wait_idle = {
    .id = "wait-idle",
    .deletes = "tcgen05.wait::ld, tcgen05.wait::st",
    .section = "9.7.16.8.5",
    .summary = "on every path no load (store) was issued since the last wait of that kind",
    .explanation =
        "Before:  tcgen05.ld; tcgen05.wait::ld; add; tcgen05.wait::ld\n"
        "After:   tcgen05.ld; tcgen05.wait::ld; add\n"
        "\n"
        "Sound because \"tcgen05.wait::ld causes the executing thread to block until all prior\n"
        "tcgen05.ld operations issued by the executing thread have completed\": with none issued\n"
        "since the last wait, or since the entry of the kernel, all prior ones have.\n"
        "\n"
        "Declined: a tcgen05.ld (st), guarded ones included, on any path back to the last\n"
        "unguarded wait; a call, or the entry of a .func, where loads may be issued unseen.\n"
        "Also while something else is outstanding that its author may have meant: an mma, cp or\n"
        "shift since the last commit, a store (load) since its own wait. The wait does nothing for\n"
        "it (kept: not-what-it-waits-for), so the program is probably wrong without it and with it.\n"
        "\n"
        "Assumes sync-is-no-barrier: the .sync of the wait is not used to let a warp's lanes meet.",
    .because = "everything it waits for is complete already: %s",
    .candidates = CANDIDATE_WAIT,
    .match = match,
    .looks_back = true,
};
