/* proxy-idle: a proxy fence right behind one that does as much. The explanation below is the
 * rule's contract. */
#include "rules/rule.h"

struct question {
    const struct facts *facts;
    struct verdict *verdict;
    uint8_t proxy;
};

static enum step visit(void *context, uint32_t i, unsigned *state)
{
    (void)state;
    struct question *q = context;
    if (i == WALK_ENTRY) {
        bool entry = q->facts->function->is_entry;
        return rule_decline(q->verdict, entry ? REASON_NO_COVER : REASON_FUNCTION_EDGE, NO_WITNESS);
    }
    const struct instr *instr = facts_instr(q->facts, i);
    if (instr->opcode->effect == EFFECT_REGISTER) return STEP_ON;
    if (instr->opcode->effect == EFFECT_CALL) return rule_decline(q->verdict, REASON_CALL, i);
    bool covers = instr->proxy == PROXY_ALL || (instr->proxy && instr->proxy == q->proxy);
    if (!covers || !facts_always(q->facts, i))
        return rule_decline(q->verdict, REASON_MEMORY_ACCESS, i);
    q->verdict->witness = i;
    return STEP_DONE;
}

static void match(const struct facts *facts, uint32_t site, struct verdict *verdict)
{
    uint8_t proxy = facts_instr(facts, site)->proxy;
    walk_backward(facts, site, 0, visit, &(struct question){facts, verdict, proxy});
}

const struct rule rule_proxy_idle = {
    .id = "proxy-idle",
    .deletes = "fence.proxy.async",
    .section = "9.7.16.6.5",
    .summary = "an equal or wider proxy fence precedes with only register work between",
    .explanation =
        "Before:  fence.proxy.async; add; fence.proxy.async.shared::cta\n"
        "After:   fence.proxy.async; add\n"
        "\n"
        "Sound because the fence orders accesses through the generic proxy before it with "
        "accesses\n"
        "through the async proxy after it, and between the two fences nothing accesses memory.\n"
        "fence.proxy.async without a state space is the widest form.\n"
        "\n"
        "Declined: anything but register arithmetic and branches on any path back to the covering\n"
        "fence, weak loads and stores included; a path on which there is none.\n"
        "\n"
        "Assumes nothing.",
    .because = "%s does the same or more and nothing accesses memory since",
    .candidates = CANDIDATE_PROXY,
    .match = match,
    .looks_back = true,
};
