/* Runs a rule, and converts results of scans to verdicts. See rule.h. */
#include "rules/rule.h"

#include "base/mem.h"
#include "order/hold.h"

uint32_t rule_candidate(const struct instr *instr)
{
    if (instr->opcode->traits & OPCODE_CALLED) return 0;
    if (instr->proxy != PROXY_NONE) return CANDIDATE_PROXY;
    switch (instr->opcode->effect) {
    case EFFECT_WAIT_LD:
    case EFFECT_WAIT_ST:
    case EFFECT_FENCE_BEFORE:
    case EFFECT_FENCE_AFTER:
    case EFFECT_COMMIT: return CANDIDATE(instr->opcode->effect);
    default: return 0;
    }
}

/* hold_decline is not needed for proxy fences, for which ptxas keeps no access to tensor memory in
 * order, and not for advice, which removes nothing. */
void rule_decide(const struct rule *rule, const struct analysis *analysis, const uint32_t *sites,
                 uint32_t count, bool held, struct verdict *verdicts)
{
    rule->decide(analysis, sites, count, verdicts);
    bool deletes_sync = rule->candidates & (CANDIDATE_WAIT | CANDIDATE_FENCE);
    for (uint32_t k = 0; k < count; k++) held = held && verdicts[k].reason == REASON_NONE;
    if (deletes_sync && !held) hold_decline(analysis, sites, count, verdicts);
}

bool rule_assumes(const struct analysis *analysis, uint32_t assumptions, uint32_t count,
                  struct verdict *verdicts)
{
    uint32_t missing = assumptions & ~analysis->assumptions;
    for (uint32_t k = 0; k < count; k++) {
        if (missing) rule_decline(&verdicts[k], REASON_ASSUMPTION, NO_WITNESS);
        verdicts[k].assumptions |= (uint16_t)(missing ? missing : assumptions);
    }
    return !missing;
}

static void merge_answer(const struct analysis *analysis, const struct scan_answer *answer,
                         struct verdict *verdict)
{
    const struct verdict *found = &answer->verdict;
    if (answer->found == SCAN_NOTHING) {
        rule_decline_for_good(verdict, REASON_NO_COVER, NO_WITNESS);
        return;
    }
    verdict->reason = found->reason;
    verdict->witness = found->witness;
    verdict->stays = found->stays;
    verdict->assumptions |= found->assumptions;
    if (found->reason == REASON_ASSUMPTION)
        verdict->assumptions &= (uint16_t)~analysis->assumptions;
}

void rule_scan(const struct analysis *analysis, const struct cover_table *table,
               const uint32_t *sites, uint32_t count, struct verdict *verdicts)
{
    struct scan_answer *answers = mem_zalloc(count, sizeof *answers);
    scan_run(analysis, table, sites, count, 0, verdicts, answers);
    for (uint32_t k = 0; k < count; k++)
        if (verdicts[k].reason == REASON_NONE) merge_answer(analysis, &answers[k], &verdicts[k]);
    mem_free(answers);
}
