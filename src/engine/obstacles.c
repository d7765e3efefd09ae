/* Runs the rules again without the instructions that are no useful witness, once for each rule and
 * kind of candidate. See obstacles.h. */
#include "engine/obstacles.h"

#include "base/mem.h"

static bool witness_misleads(const struct analysis *analysis, const struct decision *d)
{
    uint32_t witness = d->verdict.witness;
    if (d->verdict.reason == REASON_NONE || witness == NO_WITNESS) return false;
    if (d->verdict.reason == REASON_REGISTER_REWRITTEN || d->verdict.reason == REASON_REGISTER_READ)
        return false;
    const struct opcode *opcode = analysis_instr(analysis, witness)->opcode;
    bool accesses = d->verdict.reason == REASON_MEMORY_ACCESS;
    return opcode->traits & OPCODE_ASIDE || (accesses && effect_is_tensor_only(opcode->effect));
}

/* Renames the reasons of the declines by this rule about candidates of this kind. */
static void name_again(struct function_plan *plan, struct analysis *analysis,
                       const struct rule *rule, uint32_t candidate)
{
    struct VEC(uint32_t) sites = {0}, places = {0};
    for (uint32_t k = 0; k < plan->declined.count; k++) {
        const struct decision *d = &plan->declined.at[k];
        bool asks = d->rule == rule && witness_misleads(analysis, d) &&
                    rule_candidate(analysis_instr(analysis, d->instr)) == candidate;
        if (!asks) continue;
        vec_push(&places, k);
        vec_push(&sites, d->instr);
    }
    struct verdict *verdicts = mem_zalloc(sites.count + 1, sizeof *verdicts);
    for (uint32_t n = 0; n < sites.count; n++) verdicts[n].witness = NO_WITNESS;
    if (sites.count) rule->decide(analysis, sites.at, sites.count, verdicts);
    for (uint32_t n = 0; n < sites.count; n++)
        if (verdicts[n].reason != REASON_NONE)
            plan->declined.at[places.at[n]].verdict = verdicts[n];
    mem_free(verdicts);
    vec_free(&sites);
    vec_free(&places);
}

/* If the rule would remove the candidate by itself, only the candidate itself covers it, through a
 * loop. */
static void name_lonely(struct verdict *verdict)
{
    if (verdict->reason == REASON_NONE)
        *verdict = (struct verdict){REASON_NO_COVER, NO_WITNESS, verdict->assumptions, false};
}

/* If the witness is an instruction of a callee, the reason is the call. */
static void name_call(const struct analysis *analysis, struct verdict *verdict)
{
    if (verdict->reason == REASON_NONE || verdict->reason == REASON_ASSUMPTION) return;
    if (verdict->witness == NO_WITNESS) return;
    if (analysis_instr(analysis, verdict->witness)->opcode->traits & OPCODE_CALLED)
        verdict->reason = REASON_CALL;
}

static void name_obstacles(struct function_plan *plan, struct analysis *analysis)
{
    uint32_t rules = 0;
    for (uint32_t k = 0; k < plan->declined.count; k++) name_lonely(&plan->declined.at[k].verdict);
    for (uint32_t k = 0; k < plan->declined.count; k++)
        for (uint32_t r = 0; r < RULE_REWRITES && witness_misleads(analysis, &plan->declined.at[k]);
             r++)
            rules |= (uint32_t)(rule_at(r) == plan->declined.at[k].rule) << r;
    analysis->past_asides = true;
    for (uint32_t r = 0; r < RULE_REWRITES; r++)
        for (uint32_t left = rules >> r & 1 ? rule_at(r)->candidates : 0; left; left &= left - 1)
            name_again(plan, analysis, rule_at(r), left & ~(left - 1));
    analysis->past_asides = false;
}

void obstacles_name(struct function_plan *plan, struct analysis *analysis)
{
    name_obstacles(plan, analysis);
    for (uint32_t k = 0; k < plan->declined.count; k++)
        name_call(analysis, &plan->declined.at[k].verdict);
}
