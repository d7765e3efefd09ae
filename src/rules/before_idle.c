/* The rule before-idle: a fence::before_thread_sync that has nothing new to order. The explanation
 * below is the contract of the rule. */
#include "order/received.h"
#include "rules/rule.h"

enum { LD_WAITED = 1, ST_WAITED = 2, TAKEN = 4, STATES = 8 };

/* The thread's own operations that a fence::after has taken over are passed on in any case, and the
 * last fence::before was before that. */
static const struct cover_entry *before_idle_look(const struct scan *scan, uint32_t i,
                                                  const struct cover_entry *own, unsigned *state)
{
    static const struct cover_entry released = STOP(REASON_RELEASED), fence = STOP(REASON_FENCE);
    const struct opcode *opcode = analysis_instr(scan->analysis, i)->opcode;
    bool taken = *state & TAKEN;
    if (taken && effect_is_own_order(opcode->effect)) return &released;
    if (taken && opcode->effect == EFFECT_FENCE_BEFORE) return &fence;
    if (opcode->effect == EFFECT_FENCE_AFTER) *state |= TAKEN;
    return own;
}

/* clang-format off */

/* order/received finds what was received. With wait-publishes, the wait itself has published what
 * it completed. Allocation waits for a deallocation, before which everything was complete. */
static const struct cover_table since_fence = {
    .name = "before-idle",
    .backward = true,
    .states = STATES,
    .on = {
        [EFFECT_ASYNC_LD] = STOP(REASON_ASYNC_OP, .unless = LD_WAITED),
        [EFFECT_ASYNC_ST] = STOP(REASON_ASYNC_OP, .unless = ST_WAITED),
        ON_PIPE(STOP(REASON_ASYNC_OP)),
        [EFFECT_WAIT_LD] = PASS_GIVEN(ASSUME_WAIT_PUBLISHES, REASON_WAIT, .notes = LD_WAITED),
        [EFFECT_WAIT_ST] = PASS_GIVEN(ASSUME_WAIT_PUBLISHES, REASON_WAIT, .notes = ST_WAITED),
        [EFFECT_FENCE_BEFORE] = COVER,
        [EFFECT_FENCE_AFTER] = PASS_GIVEN(ASSUME_NOT_CUMULATIVE, REASON_FENCE),
        [EFFECT_CALL] = STOP(REASON_CALL),
    },
    .look = before_idle_look,
};
/* clang-format on */

static void before_idle_decide(const struct analysis *analysis, const uint32_t *sites,
                               uint32_t count, struct verdict *verdicts)
{
    rule_scan(analysis, &since_fence, sites, count, verdicts);
    received_decline(analysis, sites, count, verdicts);
}

const struct rule rule_before_idle = {
    .id = "before-idle",
    .deletes = "tcgen05.fence::before_thread_sync",
    .section = "9.7.16.6.3",
    .summary =
        "on every path no operation was issued, completed or received since the last fence::before",
    .brief = "nothing to order",
    /* clang-format off */
    .explanation =
        "Before:  fence::before_thread_sync; arrive [a]; fence::before_thread_sync; arrive [b]\n"
        "After:   fence::before_thread_sync; arrive [a]; arrive [b]\n"
        "\n"
        "Sound because the fence orders \"an asynchronous tcgen05 operation prior to\" it, and if no\n"
        "such operation was issued, completed or received since the last fence of this kind, that\n"
        "fence has ordered all of them. The start of a kernel counts as such a fence. What an\n"
        "acquire or a barrier has received from another thread is passed on by the next release, by\n"
        "causality. The fence is needed if a relaxed instruction has received something, or a\n"
        "fence::after_thread_sync has taken it over, or if something was received and a relaxed\n"
        "instruction publishes it.\n"
        "\n"
        "Kept if there is on some path back to the last unguarded fence::before_thread_sync: an\n"
        "asynchronous tcgen05 operation, a wait::ld or wait::st (the fence publishes the\n"
        "completion), a fence::after_thread_sync (the fence may pass on what it received), a relaxed\n"
        "instruction that may receive (a load, an atom, a wait for an mbarrier, a shuffle, an\n"
        "unknown opcode), a call or the entry of a .func. Also kept if anything was received and a\n"
        "relaxed instruction publishes before the next such fence.\n"
        "\n"
        "By default assumes only sync-is-no-barrier, and only if an ldmatrix or stmatrix is on such\n"
        "a path.\n"
        "With not-cumulative, what was received does not count; with wait-publishes, operations that\n"
        "a wait has completed do not count.",
    /* clang-format on */
    .because = "no operation that it orders was issued, completed or received since [%s|the "
               "entry of the kernel]",
    .candidates = CANDIDATE(EFFECT_FENCE_BEFORE),
    .decide = before_idle_decide,
    .asks = {&since_fence, &received_tables[RECEIVED_RELAXED], &received_tables[RECEIVED_ANY],
             &received_tables[RECEIVED_TOLD]},
    .looks_back = true,
};
