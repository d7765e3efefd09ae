/* The rule proxy-overtaken: a proxy fence whose effect a later one has as well. The explanation
 * below is the contract of the rule. */
#include "order/proxy.h"
#include "rules/rule.h"

/* Passes nothing except what proxy_run always passes: what is issued or signalled in between may
 * depend on the fence. */
static const struct proxy_question until_fence = {.backward = false};

static void proxy_overtaken_decide(const struct analysis *analysis, const uint32_t *sites,
                                   uint32_t count, struct verdict *verdicts)
{
    proxy_run(analysis, &until_fence, sites, count, verdicts);
}

const struct rule rule_proxy_overtaken = {
    .id = "proxy-overtaken",
    .deletes = "fence.proxy.async",
    .section = "9.7.16.6.5",
    .summary = "on every path a later one, for the same or more memory, comes before any access "
               "that this one orders",
    .brief = "a later proxy fence covers it",
    /* clang-format off */
    .explanation =
        "Before:  st.shared; fence.proxy.async.shared::cta; add; fence.proxy.async; mma\n"
        "After:   st.shared; add; fence.proxy.async; mma\n"
        "\n"
        "Sound because the fence orders accesses before it, through one proxy, with accesses after\n"
        "it, through the other. The later fence orders the same accesses if between the two neither\n"
        "proxy accesses that memory and nothing signals another thread.\n"
        "\n"
        "Kept if on some path one of these comes before the later fence: an access to that memory\n"
        "(for .shared::cta and .shared::cluster any but .global, .local, .param and .const; for\n"
        ".global any but .shared, .local, .param and .const; for the full form any but .local,\n"
        ".param and .const), an access by generic address, any tcgen05 instruction, any ordering\n"
        "operation (a barrier, an mbarrier instruction, a copy of the async proxy, a collective,\n"
        "another fence, an unknown opcode), a call or the end of the thread.\n"
        "\n"
        "Assumes nothing.",
    /* clang-format on */
    .because = "%s orders the same or more, and no access in between needs this fence",
    .candidates = CANDIDATE_PROXY,
    .decide = proxy_overtaken_decide,
};
