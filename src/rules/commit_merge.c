/* commit-merge: advice on two commits to one mbarrier. The explanation below is the rule's
 * contract. */
#include "order/pair.h"
#include "rules/rule.h"

static void decide_one(const struct facts *facts, uint32_t site, struct verdict *verdict)
{
    const struct instr *commit = facts_instr(facts, site);
    uint32_t end = facts->cfg->blocks[facts->cfg->block_of[site]].end, i = site + 1;
    while (i < end && (facts->deleted[i] || effect_is_neutral(facts_effect(facts, i)))) i++;
    bool second = i < end && facts_effect(facts, i) == EFFECT_COMMIT &&
                  facts_instr(facts, i)->guard == commit->guard &&
                  facts_instr(facts, i)->guard_negated == commit->guard_negated &&
                  pair_same_operand(facts, pair_operand(facts, site, 0), pair_operand(facts, i, 0));
    if (second)
        verdict->witness = i;
    else
        rule_decline(verdict, REASON_NO_COVER, NO_WITNESS);
}

static void decide(const struct facts *facts, const uint32_t *sites, uint32_t count,
                   struct verdict *verdicts)
{
    for (uint32_t k = 0; k < count; k++) decide_one(facts, sites[k], &verdicts[k]);
}

const struct rule rule_commit_merge = {
    .id = "commit-merge",
    .deletes = "tcgen05.commit",
    .section = "9.7.16.12.1",
    .summary = "two commits to one mbarrier with nothing between: one arrival might do",
    /* clang-format off */
    .explanation =
        "Seen:    commit [a]; commit [b]\n"
        "\n"
        "Both track the same operations. Whether one arrival can serve both waiters is a question of\n"
        "arrival counts and phases, which are the author's: this is advice, never an edit.",
    /* clang-format on */
    .because = "%s arrives at the same mbarrier for the same operations",
    .candidates = CANDIDATE(EFFECT_COMMIT),
    .decide = decide,
    .handles_guard = true,
};
