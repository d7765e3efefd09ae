/* before-idle: a fence::before_thread_sync with nothing new to order. The explanation below is the
 * rule's contract. */
#include "rules/rule.h"

enum { LD_WAITED = 1, ST_WAITED = 2, TAKEN = 4, STATES = 8 };

static bool assumes(const struct scan *scan, uint32_t assumption, struct verdict *verdict)
{
    if (!(scan->facts->assumptions & assumption)) return false;
    verdict->assumptions |= assumption;
    return true;
}

/* Does the fence relay what another thread has done? Only when fences are cumulative. */
static enum step at_relay(const struct scan *scan, enum reason reason, uint32_t i,
                          struct verdict *verdict)
{
    if (assumes(scan, ASSUME_NOT_CUMULATIVE, verdict)) return STEP_ON;
    return scan_stop(verdict, reason, i);
}

/* What a fence::after has taken over may also be the thread's own: then it is forwarded in any
 * case. */
static enum step at_fence_after(const struct scan *scan, uint32_t i, unsigned *state,
                                struct verdict *verdict)
{
    *state |= TAKEN;
    return at_relay(scan, REASON_FENCE, i, verdict);
}

/* May the instruction have observed another thread? Setting up an mbarrier and electing a lane read
 * nothing that one has published. Allocation waits for a deallocation, before which everything was
 * complete: that needs no relay. */
static bool may_observe(const struct facts *facts, uint32_t i)
{
    static const char *const blind[] = {"elect", "mbarrier .init", "fence .mbarrier_init"};
    const struct opcode *opcode = facts_instr(facts, i)->opcode;
    if (!effect_is_acquire(opcode->effect) && !effect_is_both(opcode->effect)) return false;
    for (size_t n = 0; n < sizeof blind / sizeof *blind; n++)
        if (strcmp(opcode->name, blind[n]) == 0) return false;
    return true;
}

/* With wait-publishes the wait itself has published what it waited for. */
static enum step at_wait(const struct scan *scan, uint32_t i, unsigned *state,
                         struct verdict *verdict)
{
    if (!assumes(scan, ASSUME_WAIT_PUBLISHES, verdict)) return scan_stop(verdict, REASON_WAIT, i);
    if (facts_always(scan->facts, i))
        *state |= facts_effect(scan->facts, i) == EFFECT_WAIT_LD ? LD_WAITED : ST_WAITED;
    return STEP_ON;
}

static enum step at_async(const struct scan *scan, uint32_t i, unsigned state,
                          struct verdict *verdict)
{
    enum effect effect = facts_effect(scan->facts, i);
    if (effect == EFFECT_ASYNC_LD && state & LD_WAITED) return STEP_ON;
    if (effect == EFFECT_ASYNC_ST && state & ST_WAITED) return STEP_ON;
    return scan_stop(verdict, REASON_ASYNC_OP, i);
}

static enum step visit(const struct scan *scan, uint32_t i, unsigned *state,
                       struct verdict *verdict)
{
    if (i == SCAN_ENTRY) return scan_entry(scan, verdict);
    enum effect effect = facts_effect(scan->facts, i);
    if (effect_is_async(effect)) return at_async(scan, i, *state, verdict);
    if (*state & TAKEN && effect_is_own_order(effect))
        return scan_stop(verdict, REASON_RELEASED, i);
    if (may_observe(scan->facts, i)) return at_relay(scan, REASON_RECEIVED, i, verdict);
    switch (effect) {
    case EFFECT_FENCE_BEFORE: /* that one came before what was taken over */
        if (*state & TAKEN) return scan_stop(verdict, REASON_FENCE, i);
        return facts_always(scan->facts, i) ? scan_done(verdict, i) : STEP_ON;
    case EFFECT_FENCE_AFTER: return at_fence_after(scan, i, state, verdict);
    case EFFECT_WAIT_LD:
    case EFFECT_WAIT_ST: return at_wait(scan, i, state, verdict);
    case EFFECT_CALL: return scan_stop(verdict, REASON_CALL, i);
    default: return STEP_ON;
    }
}

static void decide(const struct facts *facts, const uint32_t *sites, uint32_t count,
                   struct verdict *verdicts)
{
    struct scan scan = {facts, true, STATES, visit, EFFECT_FENCE_BEFORE, false};
    rule_scan(&scan, sites, count, 0, verdicts);
}

const struct rule rule_before_idle = {
    .id = "before-idle",
    .deletes = "tcgen05.fence::before_thread_sync",
    .section = "9.7.16.6.3",
    .summary =
        "on every path nothing to order was issued, completed or taken over since the last one",
    .explanation =
        "Before:  fence::before_thread_sync; arrive [a]; fence::before_thread_sync; arrive [b]\n"
        "After:   fence::before_thread_sync; arrive [a]; arrive [b]\n"
        "\n"
        "Sound because the fence orders \"an asynchronous tcgen05 operation prior to\" it, and "
        "with\n"
        "no such operation issued, completed or heard of since the last fence of this kind, that\n"
        "one has ordered all of them. The start of a kernel counts like such a fence.\n"
        "\n"
        "Declined: an asynchronous tcgen05 operation, a wait (it brings completion to pass on), a\n"
        "fence::after_thread_sync or anything that may observe another thread (the fence may "
        "relay\n"
        "its work), a call or the entry of a .func, on any path back to the last unguarded\n"
        "fence::before_thread_sync.\n"
        "\n"
        "Assumes nothing by default. With not-cumulative a relay does not count; with\n"
        "wait-publishes neither do operations that a wait has completed.",
    .because = "nothing that it could order was issued, completed or received since %s",
    .candidates = CANDIDATE(EFFECT_FENCE_BEFORE),
    .decide = decide,
    .looks_back = true,
    .part = "has ordered it before",
};
