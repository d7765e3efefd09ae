/* proxy-idle: a proxy fence right behind one that does as much. The explanation below is the
 * rule's contract. */
#include "rules/rule.h"

static void decide_one(const struct analysis *analysis, uint32_t site, uint32_t last,
                       struct verdict *verdict)
{
    if (last == NO_WITNESS) {
        rule_decline(verdict, REASON_NO_COVER, NO_WITNESS);
        return;
    }
    uint8_t here = analysis_instr(analysis, site)->proxy,
            there = analysis_instr(analysis, last)->proxy;
    bool covers = there == PROXY_ALL || (there != PROXY_NONE && there == here);
    bool call = analysis_effect(analysis, last) == EFFECT_CALL;
    if (covers && analysis_always(analysis, last))
        verdict->witness = last;
    else
        rule_decline(verdict, call ? REASON_CALL : REASON_MEMORY_ACCESS, last);
}

/* Does a label stand right before instruction i? Labels are in the order of the text. */
static bool at_label(const struct function *function, uint32_t *label, uint32_t i)
{
    while (*label < function->label_count && function->labels[*label].target < i) ++*label;
    return *label < function->label_count && function->labels[*label].target == i;
}

/* What is in tensor memory only, or is done aside, is no witness where there is a better one; but
 * the checker passes register work only. */
static bool passes(const struct analysis *analysis, uint32_t i)
{
    enum effect effect = analysis_effect(analysis, i);
    if (effect == EFFECT_REGISTER || analysis->deleted[i]) return true;
    if (analysis->past_asides && effect_is_tensor_only(effect)) return true;
    return analysis_passes(analysis, i) && analysis_instr(analysis, i)->proxy == PROXY_NONE;
}

/* One pass: last is what is no register work and stands nearest before, in the same stretch. */
static void decide(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                   struct verdict *verdicts)
{
    uint32_t at = 0, last = NO_WITNESS, label = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t first = analysis->cfg->blocks[analysis->cfg->block_of[sites[k]]].first;
        if (at < first) at = first, last = NO_WITNESS;
        for (; at < sites[k]; at++) {
            if (at_label(analysis->function, &label, at)) last = NO_WITNESS;
            if (!passes(analysis, at)) last = at;
        }
        if (at_label(analysis->function, &label, at)) last = NO_WITNESS;
        decide_one(analysis, sites[k], last, &verdicts[k]);
    }
}

const struct rule rule_proxy_idle = {
    .id = "proxy-idle",
    .deletes = "fence.proxy.async",
    .section = "9.7.16.6.5",
    .summary = "an equal or wider proxy fence precedes with only register work between",
    /* clang-format off */
    .explanation =
        "Before:  fence.proxy.async; add; fence.proxy.async.shared::cta\n"
        "After:   fence.proxy.async; add\n"
        "\n"
        "Sound because the fence orders accesses through the generic proxy before it with accesses\n"
        "through the async proxy after it, and between the two fences nothing accesses memory.\n"
        "fence.proxy.async without a state space is the widest form.\n"
        "\n"
        "Declined: anything but register arithmetic since the covering fence, weak loads and stores\n"
        "included, a label or a branch; a narrower covering fence, or a guarded one.\n"
        "\n"
        "Assumes nothing.",
    /* clang-format on */
    .because = "%s does the same or more, and only register work stands in between",
    .candidates = CANDIDATE_PROXY,
    .decide = decide,
    .looks_back = true,
};
