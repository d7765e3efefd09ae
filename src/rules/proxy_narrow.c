/* The rule proxy-narrow: advice about a proxy fence for all memory if only shared memory is
 * written. The explanation below is the contract of the rule. */
#include <string.h>

#include "rules/rule.h"

/* The instruction has that base opcode, whatever modifiers select its row. */
static bool is_opcode_named(const struct instr *instr, const char *base)
{
    size_t n = strlen(base);
    const char *name = instr->opcode->name;
    return !strncmp(name, base, n) && (!name[n] || name[n] == ' ');
}

/* This thread, or a callee, may write global memory through the generic proxy at the
 * instruction. */
static bool may_write_global(const struct instr *instr)
{
    bool elsewhere = instr->space == SPACE_SHARED || instr->space == SPACE_PRIVATE;
    switch (instr->opcode->effect) {
    case EFFECT_MEMORY:
        return (is_opcode_named(instr, "st") || is_opcode_named(instr, "discard")) && !elsewhere;
    case EFFECT_RELEASE_MEMORY: return !elsewhere && !is_opcode_named(instr, "cp");
    case EFFECT_BOTH_MEMORY:
        return !(instr->opcode->traits & OPCODE_ASIDE) && instr->proxy == PROXY_NONE &&
               !is_opcode_named(instr, "clusterlaunchcontrol");
    case EFFECT_CALL: return true;
    default: return false;
    }
}

/* A kernel with such an instruction works with other CTAs of the cluster, and may access their
 * shared memory. */
static bool reaches_cluster(const struct instr *instr)
{
    return is_opcode_named(instr, "mapa") || is_opcode_named(instr, "barrier .cluster") ||
           (is_opcode_named(instr, "st .async") && instr->opcode->effect == EFFECT_RELEASE_MEMORY);
}

static void proxy_narrow_decide(const struct analysis *analysis, const uint32_t *sites,
                                uint32_t count, struct verdict *verdicts)
{
    uint32_t writes = NO_WITNESS, cluster = NO_WITNESS;
    bool any = false;
    for (uint32_t k = 0; k < count; k++)
        any |= analysis_instr(analysis, sites[k])->proxy == PROXY_ALL;
    for (uint32_t i = 0; any && i < analysis->function->count; i++) {
        const struct instr *instr = analysis_instr(analysis, i);
        if (writes == NO_WITNESS && may_write_global(instr)) writes = i;
        if (cluster == NO_WITNESS && reaches_cluster(instr)) cluster = i;
    }
    for (uint32_t k = 0; k < count; k++) {
        if (analysis_instr(analysis, sites[k])->proxy != PROXY_ALL)
            rule_decline(&verdicts[k], REASON_NO_COVER, NO_WITNESS);
        else if (writes != NO_WITNESS)
            rule_decline(&verdicts[k], REASON_MEMORY_ACCESS, writes);
        else if (!analysis->function->is_entry)
            rule_decline(&verdicts[k], REASON_FUNCTION_EDGE, NO_WITNESS);
        else
            verdicts[k].witness = cluster;
    }
}

const struct rule rule_proxy_narrow = {
    .id = "proxy-narrow",
    .deletes = "fence.proxy.async",
    .section = "9.7.16.6.5",
    .summary = "a proxy fence for all memory in a kernel that writes none but shared memory",
    .brief = "a proxy fence for shared memory only may be enough",
    /* clang-format off */
    .explanation =
        "Seen:    st.shared; fence.proxy.async; bar.sync; mma\n"
        "\n"
        "Without a state space the fence also orders accesses to global memory. ptxas 13.0 emits two\n"
        "instructions for it, MEMBAR.ALL.GPU and the fence itself. For .shared::cta it emits\n"
        "MEMBAR.ALL.CTA and the same fence. For .shared::cluster it emits the same as for the full\n"
        "form, so only the text becomes clearer.\n"
        "\n"
        "If the kernel writes no global memory through the generic proxy, and calls no function that\n"
        "could, a narrower form is enough: .shared::cluster if the kernel uses mapa, barrier.cluster\n"
        "or st.async, and so may have written other CTAs' shared memory, otherwise .shared::cta.\n"
        "Only the author knows whether the fence must order other threads' writes of global memory\n"
        "before a copy, or reads of global memory before a copy that overwrites it, or whether\n"
        "shared memory belongs to another CTA. So this is advice, never an edit.",
    /* clang-format on */
    .because = "this kernel writes no global memory, so [.shared::cluster (%s may reach other "
               "CTAs)|.shared::cta] is enough, unless the fence orders what other threads write to "
               "global memory, or reads of what a copy then overwrites",
    .candidates = CANDIDATE_PROXY,
    .decide = proxy_narrow_decide,
    .handles_guard = true,
};
