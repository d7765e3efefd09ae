/* Which rules are there? */
#include "rules/rule.h"

#include "order/pending.h"

const struct rule *rule_at(uint32_t index)
{
#define ADDRESS(name) &rule_##name,
    static const struct rule *const rules[] = {REWRITES(ADDRESS) ADVICE(ADDRESS)};
#undef ADDRESS
    _Static_assert(sizeof rules / sizeof *rules == RULE_COUNT, "RULE_COUNT names every rule");
    return rules[index];
}

uint32_t rule_find(struct str id)
{
    uint32_t i = 0;
    while (i < RULE_COUNT && !str_is(id, rule_at(i)->id)) i++;
    return i;
}

uint32_t rule_candidate(const struct instr *instr)
{
    if (instr->proxy != PROXY_NONE) return CANDIDATE_PROXY;
    switch (instr->opcode->effect) {
    case EFFECT_WAIT_LD:
    case EFFECT_WAIT_ST:
    case EFFECT_FENCE_BEFORE:
    case EFFECT_FENCE_AFTER:
    case EFFECT_COMMIT:
        return CANDIDATE(instr->opcode->effect);
    default:
        return 0;
    }
}

void rule_decline_if_meant(const struct facts *facts, uint32_t site, struct verdict *verdict)
{
    uint32_t meant = pending_meant(facts, site);
    if (meant != NO_WITNESS) rule_decline(verdict, REASON_NOT_WHAT_IT_WAITS_FOR, meant);
}

bool rule_assumes(const struct facts *facts, uint32_t assumptions, struct verdict *verdict)
{
    uint32_t missing = assumptions & ~facts->assumptions;
    if (missing) {
        verdict->assumptions = missing;
        rule_decline(verdict, REASON_ASSUMPTION, NO_WITNESS);
        return false;
    }
    verdict->assumptions |= assumptions;
    return true;
}
