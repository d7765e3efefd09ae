/* The rule proxy-idle: a proxy fence after one that orders the same. The explanation below is the
 * contract of the rule. */
#include "order/proxy.h"
#include "rules/rule.h"

static const struct proxy_question since_fence = {
    .backward = true,
    .passes_election = true,
};

static void proxy_idle_decide(const struct analysis *analysis, const uint32_t *sites,
                              uint32_t count, struct verdict *verdicts)
{
    proxy_run(analysis, &since_fence, sites, count, verdicts);
}

const struct rule rule_proxy_idle = {
    .id = "proxy-idle",
    .deletes = "fence.proxy.async",
    .section = "9.7.16.6.5",
    .summary = "on every path a proxy fence for at least this memory came before, and no access in "
               "between needs this one",
    .brief = "an earlier proxy fence covers it",
    /* clang-format off */
    .explanation =
        "Before:  st.shared; fence.proxy.async.shared::cta; add; fence.proxy.async.shared::cta; mma\n"
        "After:   st.shared; fence.proxy.async.shared::cta; add; mma\n"
        "\n"
        "Sound because the fence orders accesses before it, through one proxy, with accesses after\n"
        "it, through the other. Between the two fences nothing accesses the memory of the second,\n"
        "and nothing signals accesses of other threads to this thread. fence.proxy.async without a\n"
        "state space is the widest form.\n"
        "\n"
        "Kept if there is on some path back to the last such fence, or to the entry: an access to\n"
        "that memory (for .shared::cta and .shared::cluster any but .global, .local, .param and\n"
        ".const; for .global any but .shared, .local, .param and .const; for the full form any but\n"
        ".local, .param and .const); an access by generic address; a tcgen05 fence, wait, commit or\n"
        "allocation; any ordering operation; a call; a narrower proxy fence or a guarded one; a\n"
        "tcgen05.ld, st, mma, cp or shift, before which ptxas emits some relaxed accesses if the\n"
        "second fence is removed.\n"
        "\n"
        "Assumes only sync-is-no-barrier, and only if an elect.sync is on such a path.",
    /* clang-format on */
    .because = "%s orders the same or more, and no access between the two needs the second",
    .candidates = CANDIDATE_PROXY,
    .decide = proxy_idle_decide,
    .looks_back = true,
};
