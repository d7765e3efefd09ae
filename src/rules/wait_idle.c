/* The rule wait-idle: a wait that has nothing to wait for. The explanation below is the contract of
 * the rule. */
#include "order/carried.h"
#include "order/waits.h"
#include "rules/rule.h"

/* clang-format off */
#define IDLE(KIND) {                                                                               \
    .name = "wait-idle", .backward = true,                                                         \
    .on = {                                                                                        \
        [EFFECT_ASYNC_##KIND] = STOP(REASON_ASYNC_OP),                                             \
        [EFFECT_WAIT_##KIND] = COVER,                                                              \
        [EFFECT_CALL] = STOP(REASON_CALL),                                                         \
    },                                                                                             \
}
/* clang-format on */

static const struct cover_table idle_ld = IDLE(LD), idle_st = IDLE(ST);

static void wait_idle_decide(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                             struct verdict *verdicts)
{
    bool loads = analysis_effect(analysis, sites[0]) == EFFECT_WAIT_LD;
    if (!rule_assumes(analysis, ASSUME_SYNC_IS_NO_BARRIER, count, verdicts)) return;
    rule_scan(analysis, loads ? &idle_ld : &idle_st, sites, count, verdicts);
    waits_decline_meant(analysis, sites, count, verdicts);
    carried_decline(analysis, true, sites, count, verdicts);
}

const struct rule rule_wait_idle = {
    .id = "wait-idle",
    .deletes = "tcgen05.wait::ld, tcgen05.wait::st",
    .section = "9.7.16.8.5",
    .summary = "on every path no load (store) was issued since the last wait of that kind",
    .brief = "nothing to wait for",
    /* clang-format off */
    .explanation =
        "Before:  tcgen05.ld; tcgen05.wait::ld; add; tcgen05.wait::ld\n"
        "After:   tcgen05.ld; tcgen05.wait::ld; add\n"
        "\n"
        "Sound because \"tcgen05.wait::ld causes the executing thread to block until all prior\n"
        "tcgen05.ld operations issued by the executing thread have completed\": if none was issued\n"
        "since the last wait or the entry of the kernel, all prior ones have completed.\n"
        "\n"
        "Kept if there is on some path back to the last unguarded wait: a tcgen05.ld (st), also a\n"
        "guarded one; a call; or the entry of a .func, since a caller may have issued loads. Also\n"
        "kept, with the reason not-what-it-waits-for, while an operation of another kind is in\n"
        "flight: an mma, cp or shift since the last commit, or a store (load) since its own wait.\n"
        "The author may have meant that operation, but this wait does not wait for it, so the\n"
        "program is probably wrong with and without the wait.\n"
        "\n"
        "Assumes sync-is-no-barrier: the program does not use the .sync of the wait as a barrier of\n"
        "the warp's lanes.",
    /* clang-format on */
    .because = "nothing that it waits for was issued since [%s|the entry of the kernel]",
    .candidates = CANDIDATE_WAIT,
    .decide = wait_idle_decide,
    .asks = {&idle_ld, &waits_tables[0][WAITS_MEANT]},
    .looks_back = true,
};
