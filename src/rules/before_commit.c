/* The rule before-commit: a fence::before_thread_sync that a commit performs anyway. The
 * explanation below is the contract of the rule. */
#include "base/mem.h"
#include "order/loss.h"
#include "order/received.h"
#include "order/tracked.h"
#include "order/window.h"
#include "rules/rule.h"

/* clang-format off */
static const struct cover_table until_commit = {
    .name = "before-commit",
    .on = {
        ON_ASYNC(STOP(REASON_ASYNC_OP)),
        ON_WAIT(STOP(REASON_WAIT)),
        ON_FENCE(STOP(REASON_FENCE)),
        [EFFECT_COMMIT] = COVER_OR(REASON_COMMIT),
        ON_RELEASE(STOP(REASON_RELEASE)),
        ON_ACQUIRE(STOP(REASON_ACQUIRE)),
        ON_BOTH(STOP(REASON_RELEASE)),
        ON_MEET(REASON_RELEASE),
        [EFFECT_ALLOC] = STOP(REASON_OBSERVER),
        [EFFECT_CALL] = STOP(REASON_CALL),
        [EFFECT_EXIT] = STOP(REASON_EXIT),
        [EDGE] = STOP(REASON_EXIT),
    },
};
/* clang-format on */

static bool instruction_writes_register(const struct analysis *analysis, uint32_t i, reg_id reg)
{
    const struct use *use, *end;
    analysis_uses(analysis, i, &use, &end);
    for (; use < end; use++)
        if (use->write && use->reg == reg) return true;
    return false;
}

/* `@p fence; @p commit`: both run, or none, if nothing between them orders or changes p. */
static void find_guarded_commit(const struct analysis *analysis, uint32_t site,
                                struct verdict *verdict)
{
    const struct instr *fence = analysis_instr(analysis, site);
    uint32_t end = analysis->cfg->blocks[analysis->cfg->block_of[site]].end;
    for (uint32_t i = site + 1; i < end; i++) {
        if (analysis->deleted[i]) continue;
        const struct instr *instr = analysis_instr(analysis, i);
        if (instr->opcode->effect == EFFECT_COMMIT && instr->guard == fence->guard &&
            instr->guard_negated == fence->guard_negated) {
            verdict->witness = i;
            return;
        }
        bool passes = until_commit.on[instr->opcode->effect].does == COVER_PASS;
        if (!passes || instruction_writes_register(analysis, i, fence->guard)) break;
    }
    rule_decline(verdict, REASON_GUARDED, site);
}

/* A fence that is certainly followed by a commit keeps REASON_NONE, with the commit as its
 * witness. */
static void find_next_commits(const struct analysis *analysis, const uint32_t *sites,
                              uint32_t count, struct verdict *verdicts)
{
    struct verdict *next = mem_zalloc(count, sizeof *next);
    rule_scan(analysis, &until_commit, sites, count, next);
    for (uint32_t k = 0; k < count; k++) {
        if (analysis_always(analysis, sites[k]))
            verdicts[k] = next[k];
        else
            find_guarded_commit(analysis, sites[k], &verdicts[k]);
    }
    mem_free(next);
}

/* The commit must track what the fence publishes: since the last fence::before there is an mma, cp
 * or shift, no load or store, and no wait that has completed one; and after what was taken over, an
 * mma, cp or shift certainly runs. */
static void check_tracked(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                          struct verdict *verdicts)
{
    static const enum tracked_question against[] = {TRACKED_HIDDEN, TRACKED_OTHERS,
                                                    TRACKED_RELAYED};
    struct scan_answer *answers = mem_zalloc(count, sizeof *answers);
    for (size_t n = 0; n < sizeof against / sizeof *against; n++) {
        tracked_scan(analysis, against[n], sites, count, verdicts, answers);
        for (uint32_t k = 0; k < count; k++)
            if (verdicts[k].reason == REASON_NONE && answers[k].found == SCAN_STOP)
                rule_decline_for_good(&verdicts[k], answers[k].verdict.reason,
                                      answers[k].verdict.witness);
    }
    tracked_scan(analysis, TRACKED_ANY, sites, count, verdicts, answers);
    for (uint32_t k = 0; k < count; k++)
        if (verdicts[k].reason == REASON_NONE && answers[k].found != SCAN_STOP)
            rule_decline(&verdicts[k], REASON_UNTRACKED, NO_WITNESS);
    mem_free(answers);
}

/* After the commit, nothing may depend on the order of earlier operations before later ones, or
 * before an ordering operation that a commit's fence does not order. Each commit that the fence
 * reaches is the next event on its path, so what follows the commit follows the fence: the scan
 * from the fence looks for what the commit does not order. */
static void check_later(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                        struct verdict *verdicts)
{
    struct scan_answer *answers = mem_zalloc(count, sizeof *answers);
    struct window_answer *windows = mem_zalloc(count, sizeof *windows);
    loss_scan(analysis, sites, count, LOST_ISSUE | LOST_BEYOND_COMMIT, true, verdicts, answers);
    window_run(analysis, sites, count, false, verdicts, windows);
    for (uint32_t k = 0; k < count; k++) {
        if (verdicts[k].reason != REASON_NONE) continue;
        if (answers[k].found == SCAN_STOP)
            rule_decline_for_good(&verdicts[k], answers[k].verdict.reason,
                                  answers[k].verdict.witness);
        else if (!windows[k].pipelined)
            rule_decline_for_good(&verdicts[k], REASON_NOT_PIPELINED, windows[k].behind);
        else
            verdicts[k].assumptions |=
                (uint16_t)(answers[k].verdict.assumptions | windows[k].assumptions);
    }
    mem_free(answers);
    mem_free(windows);
}

static bool any_left(uint32_t count, const struct verdict *verdicts)
{
    for (uint32_t k = 0; k < count; k++)
        if (verdicts[k].reason == REASON_NONE) return true;
    return false;
}

static void before_commit_decide(const struct analysis *analysis, const uint32_t *sites,
                                 uint32_t count, struct verdict *verdicts)
{
    find_next_commits(analysis, sites, count, verdicts);
    if (!any_left(count, verdicts)) return;
    check_tracked(analysis, sites, count, verdicts);
    received_decline(analysis, sites, count, verdicts);
    for (uint32_t k = 0; k < count; k++)
        if (verdicts[k].reason == REASON_NONE)
            rule_assumes(analysis, ASSUME_COMMIT_FENCES, 1, &verdicts[k]);
    if (any_left(count, verdicts)) check_later(analysis, sites, count, verdicts);
}

const struct rule rule_before_commit = {
    .id = "before-commit",
    .deletes = "tcgen05.fence::before_thread_sync",
    .section = "9.7.16.6.4.2",
    .summary = "on every path a commit comes before what needs the fence and tracks each "
               "operation since the last fence::before",
    .brief = "the commit orders the same operations",
    /* clang-format off */
    .explanation =
        "Before:  mma; fence::before_thread_sync; commit [bar]\n"
        "After:   mma; commit [bar]\n"
        "\n"
        "Sound because \"no explicit tcgen05.fence::before_thread_sync is needed as this is\n"
        "implicitly performed by tcgen05.commit\" for the operations that it tracks: mma, cp and\n"
        "shift of its .cta_group. A guarded fence is redundant if the commit has the same guard.\n"
        "\n"
        "Kept if there is a tcgen05.ld, st, wait::ld or wait::st since the last\n"
        "fence::before_thread_sync (a commit tracks none of them); if the commit tracks nothing, or\n"
        "some path skips it; if there is a fence::after_thread_sync with no unguarded mma, cp or shift\n"
        "after it (only tracked operations pass on what it has taken over); if a relaxed\n"
        "instruction received something; if something was received and, after the commit and before\n"
        "the next fence, a relaxed instruction publishes it; if anything but register work and weak\n"
        "memory accesses is between fence and commit; or if after the commit and before the next\n"
        "fence there is an asynchronous operation that forms no pipelined pair with the earlier\n"
        "ones, a call, or an ordering operation that is neither an mbarrier nor a barrier\n"
        "instruction (ptxas was seen to move those above tracked operations).\n"
        "\n"
        "Assumes commit-fences: the commit's fence also orders later mbarrier and barrier\n"
        "instructions; sync-is-no-barrier for an ldmatrix or stmatrix on such a path.",
    /* clang-format on */
    .because = "%s performs the same fence for all operations that it orders[, the last at %o], "
               "and no later instruction needs more",
    .candidates = CANDIDATE(EFFECT_FENCE_BEFORE),
    .decide = before_commit_decide,
    .asks = {&until_commit, &tracked_tables[TRACKED_HIDDEN], &tracked_tables[TRACKED_OTHERS],
             &tracked_tables[TRACKED_RELAYED], &tracked_tables[TRACKED_ANY],
             &received_tables[RECEIVED_RELAXED], &received_tables[RECEIVED_ANY],
             &received_tables[RECEIVED_TOLD], &loss_tables[1]},
    .handles_guard = true,
};
