/* The rule pair-fence: a fence between instructions of a pipelined pair. The explanation below is
 * the contract of the rule. */
#include "base/mem.h"
#include "order/loss.h"
#include "order/received.h"
#include "order/tracked.h"
#include "order/window.h"
#include "rules/rule.h"

/* clang-format off */

/* Whether there is an ordering operation after which only this fence::after keeps later
 * operations. */
static const struct cover_table received = {
    .name = "pair-fence",
    .backward = true,
    .on = {
        [EFFECT_FENCE_AFTER] = COVER,
        [EFFECT_COMMIT] = STOP(REASON_RELEASED),
        ON_RELEASE(STOP(REASON_RELEASED)),
        ON_ACQUIRE(STOP(REASON_RECEIVED)),
        ON_BOTH(STOP(REASON_RECEIVED)),
        ON_MEET(REASON_RECEIVED),
        [EFFECT_ALLOC] = STOP(REASON_RELEASED),
        [EFFECT_CALL] = STOP(REASON_CALL),
    },
};
/* clang-format on */

/* The sites of one kind of fence. */
struct question {
    const struct analysis *analysis;
    const uint32_t *sites;
    uint32_t count;
    struct verdict *verdicts;
    bool before;
    struct scan_answer *others, *relayed, *loss;
    struct window_answer *windows;
};

static bool pair_fence_is_open(const struct question *q, uint32_t k)
{
    return q->verdicts[k].reason == REASON_NONE;
}

static void decline_hidden(struct question *q)
{
    struct scan_answer *hidden = mem_zalloc(q->count, sizeof *hidden);
    tracked_scan(q->analysis, TRACKED_HIDDEN, q->sites, q->count, q->verdicts, hidden);
    for (uint32_t k = 0; k < q->count; k++)
        if (pair_fence_is_open(q, k) && hidden[k].found == SCAN_STOP)
            rule_decline_for_good(&q->verdicts[k], hidden[k].verdict.reason,
                                  hidden[k].verdict.witness);
    mem_free(hidden);
}

/* Why a commit does not replace the fence for what it tracks; NULL: it does. */
static const struct verdict *why_untracked(const struct question *q, uint32_t k)
{
    if (q->others[k].found == SCAN_STOP) return &q->others[k].verdict;
    bool relayed = q->before && q->relayed[k].found == SCAN_STOP;
    return relayed ? &q->relayed[k].verdict : NULL;
}

/* A commit that does not replace the fence stops the scan, with the reason why it does not. */
static void find_loss(struct question *q, bool commit_stands_in)
{
    unsigned lost = q->before ? LOST_ISSUE | LOST_PUBLISH : LOST_ISSUE;
    struct verdict *open = mem_alloc(q->count * sizeof *open);
    memcpy(open, q->verdicts, q->count * sizeof *open);
    for (uint32_t k = 0; k < q->count; k++)
        if (!why_untracked(q, k) != commit_stands_in) open[k].reason = REASON_UNTRACKED;
    loss_scan(q->analysis, q->sites, q->count, lost, commit_stands_in, open, q->loss);
    for (uint32_t k = 0; k < q->count; k++) {
        const struct verdict *why = why_untracked(q, k);
        if (why && !commit_stands_in && q->loss[k].verdict.reason == REASON_UNTRACKED)
            rule_decline(&q->loss[k].verdict, why->reason, why->witness);
    }
    mem_free(open);
}

static void decline_lost(struct question *q, uint32_t k)
{
    struct verdict *verdict = &q->verdicts[k];
    const struct verdict *loss = &q->loss[k].verdict;
    rule_decline_for_good(verdict, loss->reason, loss->witness);
    verdict->assumptions |= loss->assumptions;
    if (verdict->reason == REASON_ASSUMPTION)
        verdict->assumptions &= (uint16_t)~q->analysis->assumptions;
}

static void pair_fence_judge(struct question *q, uint32_t k)
{
    const struct window_answer *window = &q->windows[k];
    const struct scan_answer *loss = &q->loss[k];
    struct verdict *verdict = &q->verdicts[k];
    if (loss->found == SCAN_STOP && window->pipelined) {
        decline_lost(q, k);
    } else if (!window->pipelined || !window->has_behind) {
        rule_decline(verdict, REASON_NOT_PIPELINED,
                     window->pipelined ? NO_WITNESS : window->behind);
        verdict->stays = !window->pipelined;
    } else {
        verdict->assumptions |= (uint16_t)(loss->verdict.assumptions | window->assumptions);
        verdict->witness = window->before;
    }
}

static void pair_fence_answer(struct question *q)
{
    const struct analysis *analysis = q->analysis;
    decline_hidden(q);
    tracked_scan(analysis, q->before ? TRACKED_OTHERS : TRACKED_OTHERS_IN_FLIGHT, q->sites,
                 q->count, q->verdicts, q->others);
    if (q->before) {
        tracked_scan(analysis, TRACKED_RELAYED, q->sites, q->count, q->verdicts, q->relayed);
        received_decline(analysis, q->sites, q->count, q->verdicts);
    }
    find_loss(q, true);
    find_loss(q, false);
    for (uint32_t k = 0; k < q->count; k++) {
        bool lost = pair_fence_is_open(q, k) && q->loss[k].found == SCAN_STOP;
        if (lost && q->loss[k].verdict.reason != REASON_UNTRACKED) decline_lost(q, k);
    }
    window_run(analysis, q->sites, q->count, false, q->verdicts, q->windows);
    for (uint32_t k = 0; k < q->count; k++)
        if (pair_fence_is_open(q, k)) pair_fence_judge(q, k);
}

static void pair_fence_decide(const struct analysis *analysis, const uint32_t *sites,
                              uint32_t count, struct verdict *verdicts)
{
    bool before = analysis_effect(analysis, sites[0]) == EFFECT_FENCE_BEFORE;
    if (!before) rule_scan(analysis, &received, sites, count, verdicts);
    struct scan_answer *room = mem_zalloc(3 * (size_t)count, sizeof *room);
    struct question q = {analysis, sites, count,        verdicts,
                         before,   room,  room + count, room + 2 * (size_t)count,
                         NULL};
    q.windows = mem_zalloc(count, sizeof *q.windows);
    pair_fence_answer(&q);
    mem_free(q.windows);
    mem_free(room);
}

const struct rule rule_pair_fence = {
    .id = "pair-fence",
    .deletes = "tcgen05.fence::before_thread_sync, tcgen05.fence::after_thread_sync",
    .section = "9.7.16.6.2",
    .summary = "all that it orders are pipelined pairs of the same thread",
    .brief = "it orders only pipelined pairs",
    /* clang-format off */
    .explanation =
        "Before:  tcgen05.cp [t], s; fence::after_thread_sync; tcgen05.mma [d], a, b, i, [t], [u], p\n"
        "After:   tcgen05.cp [t], s; tcgen05.mma [d], a, b, i, [t], [u], p\n"
        "\n"
        "Sound because \"two asynchronous operations [of a pair] are guaranteed to execute in the\n"
        "same order as the instructions that issued them\". These pairs are in every version of the\n"
        "ISA: mma -> mma with the same accumulator, descriptor and modifiers; cp -> mma, shift ->\n"
        "mma, shift -> cp.4x256b and mma -> shift with the same tensor-memory address (of an mma:\n"
        "the address of A or of the metadata); the registers are unchanged between the two.\n"
        "\n"
        "Kept if before the next fence there is an operation that does not form such a pair with\n"
        "every operation since the last fence; for mma -> mma if the second reads A from tensor\n"
        "memory, which the first may write; for fence::before if an ordering operation follows\n"
        "(except an mbarrier or barrier instruction with a commit of all these operations before\n"
        "it), or a relaxed instruction has received or publishes something; for fence::after if an\n"
        "ordering operation or commit comes before it; and at tensor-memory allocation, a call, or\n"
        "the edge of a .func.\n"
        "\n"
        "Assumes commit-fences when a commit replaces the fence, scales-follow-cp for cp -> mma by a\n"
        "scale, sync-is-no-barrier for an ldmatrix or stmatrix on such a path; isa-9.4-pairs adds st\n"
        "-> ld, st -> st and ld -> st of the same address, and mma -> cp with the address of A or\n"
        "of the metadata.",
    /* clang-format on */
    .because =
        "[it separates only pipelined pairs, which execute in the order of issue: %s|no operation "
        "issued since the last fence is in flight here][ and %b][; %c publishes them]",
    .candidates = CANDIDATE(EFFECT_FENCE_BEFORE) | CANDIDATE(EFFECT_FENCE_AFTER),
    .decide = pair_fence_decide,
    .asks = {&received, &tracked_tables[TRACKED_HIDDEN], &tracked_tables[TRACKED_OTHERS],
             &tracked_tables[TRACKED_OTHERS_IN_FLIGHT], &tracked_tables[TRACKED_RELAYED],
             &received_tables[RECEIVED_RELAXED], &received_tables[RECEIVED_ANY],
             &received_tables[RECEIVED_TOLD], &loss_tables[0], &loss_tables[1]},
    .part = "runs first, as the first of a pipelined pair",
};
