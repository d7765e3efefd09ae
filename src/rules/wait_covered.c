/* wait-covered: a wait whose work a later wait of the same kind does in time. The explanation
 * below is the rule's contract. */
#include "order/waits.h"
#include "order/registers.h"
#include "rules/rule.h"

/* clang-format off */
#define UNTIL_WAIT(KIND)                                                                           \
    [EFFECT_WAIT_##KIND] = COVER,                                                                  \
    ON_PIPE(STOP(REASON_ASYNC_OP)),                                                                \
    ON_FENCE(STOP(REASON_FENCE)),                                                                  \
    [EFFECT_COMMIT] = STOP(REASON_COMMIT),                                                         \
    ON_RELEASE(STOP(REASON_RELEASE)),                                                              \
    ON_ACQUIRE(STOP(REASON_ACQUIRE)),                                                              \
    ON_BOTH(STOP(REASON_RELEASE)),                                                                 \
    ON_MEET(REASON_RELEASE),                                                                       \
    [EFFECT_ALLOC] = STOP(REASON_OBSERVER),                                                        \
    [EFFECT_CALL] = STOP(REASON_CALL),                                                             \
    [EFFECT_EXIT] = STOP(REASON_EXIT),                                                             \
    [EDGE] = STOP(REASON_EXIT)

static const struct cover_table until_ld = {
    .name = "wait-covered",
    .on = {
        UNTIL_WAIT(LD),
        [EFFECT_ASYNC_LD] = PASS_GIVEN(ASSUME_READS_COMMUTE, REASON_ASSUMPTION),
        [EFFECT_ASYNC_ST] = PASS_GIVEN(ASSUME_ISA_9_4_PAIRS, REASON_ASYNC_OP),
    },
};

static const struct cover_table until_st = {
    .name = "wait-covered, of stores",
    .on = {
        UNTIL_WAIT(ST),
        [EFFECT_ASYNC_LD] = PASS_GIVEN(ASSUME_ISA_9_4_PAIRS, REASON_ASYNC_OP),
        [EFFECT_ASYNC_ST] = PASS_GIVEN(ASSUME_ISA_9_4_PAIRS, REASON_ASYNC_OP),
    },
};
/* clang-format on */

static void wait_covered_decide(const struct analysis *analysis, const uint32_t *sites,
                                uint32_t count, struct verdict *verdicts)
{
    bool loads = analysis_effect(analysis, sites[0]) == EFFECT_WAIT_LD;
    if (!rule_assumes(analysis, ASSUME_SYNC_IS_NO_BARRIER, count, verdicts)) return;
    rule_scan(analysis, loads ? &until_ld : &until_st, sites, count, verdicts);
    waits_decline_hidden(analysis, sites, count, verdicts);
    registers_decline(analysis, sites, count, verdicts);
    waits_decline_idle(analysis, sites, count, verdicts);
    waits_decline_owed(analysis, sites, count, verdicts);
}

const struct rule rule_wait_covered = {
    .id = "wait-covered",
    .deletes = "tcgen05.wait::ld, tcgen05.wait::st",
    .section = "9.7.16.6.2.1.2",
    .summary = "on every path another wait of that kind comes before anything that needs this one",
    .brief = "a later wait covers it",
    /* clang-format off */
    .explanation =
        "Before:  tcgen05.ld {a}; tcgen05.wait::ld; use a; tcgen05.ld {b}; tcgen05.wait::ld; use b\n"
        "After:   tcgen05.ld {a}; use a; tcgen05.ld {b}; tcgen05.wait::ld; use b\n"
        "\n"
        "Sound because \"intra-thread ordering through true register dependency will be respected\n"
        "regardless of the presence or absence of other forms of synchronization\", and the later\n"
        "wait completes the same loads before another thread can observe a difference.\n"
        "\n"
        "With ISA 9.4 st -> ld, st -> st and ld -> st of one warp are pipelined pairs, so a wait\n"
        "that only separates such a pair is redundant. A wait behind the pair is still needed, since\n"
        "issue order does not include completion.\n"
        "\n"
        "Kept if on some path one of these comes before the later wait: mma, cp or shift, without\n"
        "isa-9.4-pairs also st (for wait::st also ld); a commit, a fence, an execution-ordering\n"
        "operation (also one that only acquires, since the wait blocks everything after it),\n"
        "tensor-memory allocation, a call, the end of the thread; or a write to a register of an\n"
        "operation in flight, also by the same load in the next round of a loop.\n"
        "\n"
        "Assumes sync-is-no-barrier; register-dependency when a loaded register is read before the\n"
        "covering wait; reads-commute when another tcgen05.ld is issued before it; isa-9.4-pairs for\n"
        "st and ld in between that are pipelined.",
    /* clang-format on */
    .because =
        "[each read of a loaded register waits by itself (register dependency: %r), and ]"
        "%s completes the same operations[ before %n][; with %b they are pipelined]; none of "
        "their registers is written in between",
    .candidates = CANDIDATE_WAIT,
    .carried_by = ASSUME_REGISTER_DEPENDENCY,
    .decide = wait_covered_decide,
    .asks = {&until_ld, &until_st, &waits_tables[0][WAITS_HIDDEN], &waits_tables[0][WAITS_OWN],
             &waits_tables[0][WAITS_MEANT], &waits_tables[0][WAITS_OWED]},
    .judges_together = true,
};
