/* The rule commit-merge: advice about two commits to one mbarrier. The explanation below is the
 * contract of the rule. */
#include "order/pair.h"
#include "rules/rule.h"

static void decide_one(const struct analysis *analysis, uint32_t site, struct verdict *verdict)
{
    const struct instr *commit = analysis_instr(analysis, site);
    uint32_t end = analysis->cfg->blocks[analysis->cfg->block_of[site]].end, i = site + 1;
    while (i < end && (analysis->deleted[i] || effect_is_neutral(analysis_effect(analysis, i))))
        i++;
    bool second =
        i < end && analysis_effect(analysis, i) == EFFECT_COMMIT &&
        analysis_instr(analysis, i)->guard == commit->guard &&
        analysis_instr(analysis, i)->guard_negated == commit->guard_negated &&
        pair_same_operand(analysis, pair_operand(analysis, site, 0), pair_operand(analysis, i, 0));
    if (second)
        verdict->witness = i;
    else
        rule_decline(verdict, REASON_NO_COVER, NO_WITNESS);
}

static void commit_merge_decide(const struct analysis *analysis, const uint32_t *sites,
                                uint32_t count, struct verdict *verdicts)
{
    for (uint32_t k = 0; k < count; k++) decide_one(analysis, sites[k], &verdicts[k]);
}

const struct rule rule_commit_merge = {
    .id = "commit-merge",
    .deletes = "tcgen05.commit",
    .section = "9.7.16.12.1",
    .summary = "two commits to one mbarrier with nothing in between: one arrival may be enough",
    .brief = "one of the two commits to this mbarrier may be enough",
    /* clang-format off */
    .explanation =
        "Seen:    commit [a]; commit [b]\n"
        "\n"
        "Both track the same operations. Whether one arrival can serve both waiters depends on\n"
        "arrival counts and phases, which only the author knows: this is advice, never an edit.",
    /* clang-format on */
    .because = "%s arrives at the same mbarrier for the same operations, with nothing in between",
    .candidates = CANDIDATE(EFFECT_COMMIT),
    .decide = commit_merge_decide,
    .handles_guard = true,
};
