/* The rule wait-covered: a wait that a later wait of the same kind covers. The explanation below is
 * the contract of the rule. */
#include "base/mem.h"
#include "order/apart.h"
#include "order/carried.h"
#include "order/registers.h"
#include "order/waits.h"
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

/* A path continues past an access to other columns than all operations that may be in flight,
 * whatever the table has for the access. */
static const struct cover_entry *look_apart(const struct scan *scan, uint32_t i,
                                            const struct cover_entry *own, unsigned *state)
{
    static const struct cover_entry passes = {.does = COVER_PASS};
    enum effect effect = analysis_effect(scan->analysis, i);
    bool access = effect == EFFECT_ASYNC_LD || effect == EFFECT_ASYNC_ST;
    bool stops = access && own->reason == REASON_ASYNC_OP;
    (void)state;
    return stops && apart_passes(scan->analysis, i) ? &passes : own;
}

static bool is_stopped_by_access(const struct analysis *analysis, const struct verdict *verdict)
{
    if (verdict->reason != REASON_ASYNC_OP || verdict->witness == NO_WITNESS) return false;
    enum effect effect = analysis_effect(analysis, verdict->witness);
    return effect == EFFECT_ASYNC_LD || effect == EFFECT_ASYNC_ST;
}

/* Scans again for the sites in passed that are not declined, with the table except that paths
 * continue past accesses to other columns. */
static void scan_past_apart(const struct analysis *analysis, const struct cover_table *table,
                            const uint32_t *sites, uint32_t count, const bool *passed,
                            struct verdict *verdicts)
{
    struct cover_table past = *table;
    struct verdict *open = mem_alloc(count * sizeof *open);
    past.look = look_apart;
    past.looks_at_entries = true;
    for (uint32_t k = 0; k < count; k++) {
        open[k] = verdicts[k];
        if (!passed[k] && open[k].reason == REASON_NONE) open[k].reason = REASON_NO_COVER;
    }
    rule_scan(analysis, &past, sites, count, open);
    for (uint32_t k = 0; k < count; k++)
        if (passed[k] && verdicts[k].reason == REASON_NONE)
            verdicts[k] = open[k], verdicts[k].stays = false;
    mem_free(open);
}

/* The initial verdict for a site that only a load or store declines, to be judged again. */
static struct verdict verdict_reopen(const struct verdict *verdict)
{
    return (struct verdict){REASON_NONE, NO_WITNESS,
                            verdict->assumptions & ASSUME_SYNC_IS_NO_BARRIER, false};
}

/* Judges again the sites that a load or store declines; they are reopened only if nothing else
 * declines them. False if there is no such site. */
static bool reopen_for_columns(const struct analysis *analysis, const struct cover_table *table,
                               const uint32_t *sites, uint32_t count, bool *passed,
                               struct verdict *verdicts)
{
    bool any = false;
    if (!analysis->apart) return false;
    struct verdict *open = mem_alloc(count * sizeof *open);
    for (uint32_t k = 0; k < count; k++) {
        passed[k] = is_stopped_by_access(analysis, &verdicts[k]);
        open[k] = passed[k] ? verdict_reopen(&verdicts[k]) : verdicts[k];
    }
    apart_allow_all(analysis);
    scan_past_apart(analysis, table, sites, count, passed, open);
    for (uint32_t k = 0; k < count; k++) {
        if (passed[k]) verdicts[k].stays = false; /* what stops it now may be removed */
        passed[k] = passed[k] && open[k].reason == REASON_NONE;
        if (passed[k]) verdicts[k] = open[k];
        any |= passed[k];
    }
    mem_free(open);
    return any;
}

static void wait_covered_decide(const struct analysis *analysis, const uint32_t *sites,
                                uint32_t count, struct verdict *verdicts)
{
    bool loads = analysis_effect(analysis, sites[0]) == EFFECT_WAIT_LD;
    const struct cover_table *table = loads ? &until_ld : &until_st;
    if (!rule_assumes(analysis, ASSUME_SYNC_IS_NO_BARRIER, count, verdicts)) return;
    bool *passed = mem_zalloc(count, sizeof *passed);
    rule_scan(analysis, table, sites, count, verdicts);
    bool columns = reopen_for_columns(analysis, table, sites, count, passed, verdicts);
    waits_decline_hidden(analysis, sites, count, verdicts);
    registers_decline(analysis, sites, count, verdicts);
    waits_decline_idle(analysis, sites, count, verdicts);
    waits_decline_owed(analysis, sites, count, passed, verdicts);
    carried_decline(analysis, false, sites, count, verdicts);
    if (columns) {
        apart_find(analysis, sites, count, verdicts);
        scan_past_apart(analysis, table, sites, count, passed, verdicts);
        apart_note(analysis, sites, count, passed, verdicts);
    }
    mem_free(passed);
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
        "that only separates such a pair is redundant. A wait after the pair is still needed, since\n"
        "issue order does not include completion.\n"
        "\n"
        "A wait that only separates accesses to different columns is redundant, too. Columns are\n"
        "compared if both addresses are constants plus the same register, which is written only\n"
        "once.\n"
        "\n"
        "Kept if on some path one of these comes before the later wait: an mma, cp or shift; without\n"
        "isa-9.4-pairs a st (for wait::st also a ld) that may access columns of an operation in\n"
        "flight; a commit, a fence, an execution-ordering operation (also one that only acquires,\n"
        "since the wait blocks everything after it), tensor-memory allocation, a call, the end of\n"
        "the thread; or a write to a register of an operation in flight, also by the same load in\n"
        "the next round of a loop.\n"
        "\n"
        "Assumes sync-is-no-barrier; register-dependency when a loaded register is read before the\n"
        "covering wait; reads-commute when another tcgen05.ld is issued before it; isa-9.4-pairs for\n"
        "st and ld in between that are pipelined.",
    /* clang-format on */
    .because = "[each read of a loaded register waits for the load (register dependency: %r), and ]"
               "%s completes the same operations[ before %n][; with %b they are pipelined][; the "
               "accesses on %a]; no register of these operations is written in between",
    .candidates = CANDIDATE_WAIT,
    .carried_by = ASSUME_REGISTER_DEPENDENCY,
    .decide = wait_covered_decide,
    .asks = {&until_ld, &until_st, &waits_tables[0][WAITS_HIDDEN], &waits_tables[0][WAITS_OWN],
             &waits_tables[0][WAITS_MEANT], &waits_tables[0][WAITS_OWED]},
    .judges_together = true,
};
