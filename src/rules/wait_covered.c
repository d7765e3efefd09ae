/* wait-covered: a wait whose work a later wait of the same kind does in time. The explanation
 * below is the rule's contract. */
#include "order/pending.h"
#include "rules/rule.h"

struct question {
    const struct facts *facts;
    struct verdict *verdict;
    enum effect wait;
    bool covered;
};

/* Registers that an operation in flight still reads or writes: the loaded ones (anti-dependency,
 * 9.7.16.6.4.5), and to be safe its addresses and a store's sources too. */
static void mark_registers(const struct facts *facts, const struct pending *pending)
{
    regs_clear(facts, REGS_IN_FLIGHT);
    regs_clear(facts, REGS_LOADED);
    for (uint32_t i = 0; i < pending->ops.count; i++) {
        const struct instr *instr = facts_instr(facts, pending->ops.at[i]);
        for (uint32_t u = 0; u < instr->use_count; u++) {
            const struct use *use = &facts->function->uses[instr->first_use + u];
            mark_reg(facts, REGS_IN_FLIGHT, use->reg);
            if (use->write) mark_reg(facts, REGS_LOADED, use->reg);
        }
    }
}

static enum step check_registers(struct question *q, uint32_t i)
{
    const struct facts *facts = q->facts;
    const struct instr *instr = facts_instr(facts, i);
    for (uint32_t u = 0; u < instr->use_count; u++) {
        const struct use *use = &facts->function->uses[instr->first_use + u];
        if (use->write && marked_reg(facts, REGS_IN_FLIGHT, use->reg))
            return rule_decline(q->verdict, REASON_REGISTER_REWRITTEN, i);
        if (use->write || !marked_reg(facts, REGS_LOADED, use->reg)) continue;
        if (!(facts->assumptions & ASSUME_REGISTER_DEPENDENCY))
            return rule_decline(q->verdict, REASON_REGISTER_READ, i);
        q->verdict->assumptions |= ASSUME_REGISTER_DEPENDENCY;
    }
    return STEP_ON;
}

static enum step at_async(struct question *q, uint32_t i)
{
    bool read_read = q->wait == EFFECT_WAIT_LD && facts_effect(q->facts, i) == EFFECT_ASYNC_LD;
    if (!read_read) return rule_decline(q->verdict, REASON_ASYNC_OP, i);
    if (!rule_assumes(q->facts, ASSUME_READS_COMMUTE, q->verdict)) {
        q->verdict->witness = i;
        return STEP_STOP;
    }
    return check_registers(q, i);
}

static enum step visit(void *context, uint32_t i, unsigned *state)
{
    (void)state;
    struct question *q = context;
    enum effect effect = facts_effect(q->facts, i);
    if (effect == q->wait && facts_always(q->facts, i)) {
        if (!q->covered) q->verdict->witness = i;
        q->covered = true;
        return STEP_DONE;
    }
    if (effect_is_async(effect)) return at_async(q, i);
    switch (effect) {
    case EFFECT_COMMIT:
        return rule_decline(q->verdict, REASON_COMMIT, i);
    case EFFECT_FENCE_BEFORE:
    case EFFECT_FENCE_AFTER:
        return rule_decline(q->verdict, REASON_FENCE, i);
    case EFFECT_RELEASE_BARRIER:
    case EFFECT_RELEASE_MEMORY:
    case EFFECT_BOTH_BARRIER:
    case EFFECT_BOTH_MEMORY:
        return rule_decline(q->verdict, REASON_RELEASE, i);
    case EFFECT_ACQUIRE_BARRIER:
    case EFFECT_ACQUIRE_MEMORY:
        return rule_decline(q->verdict, REASON_ACQUIRE, i);
    case EFFECT_ALLOC:
        return rule_decline(q->verdict, REASON_OBSERVER, i);
    case EFFECT_CALL:
        return rule_decline(q->verdict, REASON_CALL, i);
    case EFFECT_EXIT:
        return rule_decline(q->verdict, REASON_EXIT, i);
    default:
        return check_registers(q, i);
    }
}

static void match(const struct facts *facts, uint32_t site, struct verdict *verdict)
{
    enum effect wait = facts_effect(facts, site);
    if (!rule_assumes(facts, ASSUME_SYNC_IS_NO_BARRIER, verdict)) return;
    struct pending pending;
    pending_collect(&pending, facts, site, wait == EFFECT_WAIT_LD ? PENDING_LD : PENDING_ST);
    bool waits_for_nothing = !pending.ops.count && !pending.hidden;
    mark_registers(facts, &pending);
    struct question question = {facts, verdict, wait, false};
    bool passed = walk_forward(facts, site, 0, visit, &question);
    if (passed && !question.covered) rule_decline(verdict, REASON_NO_COVER, NO_WITNESS);
    if (passed && pending.hidden) rule_decline(verdict, pending.hidden, pending.hidden_at);
    pending_free(&pending);
    if (waits_for_nothing && verdict->reason == REASON_NONE)
        rule_decline_if_meant(facts, site, verdict);
}

const struct rule rule_wait_covered = {
    .id = "wait-covered",
    .deletes = "tcgen05.wait::ld, tcgen05.wait::st",
    .section = "9.7.16.6.2.1.2",
    .summary = "on every path another wait of that kind comes before anything that needs this one",
    .explanation =
        "Before:  tcgen05.ld {a}; tcgen05.wait::ld; use a; tcgen05.ld {b}; tcgen05.wait::ld; use "
        "b\n"
        "After:   tcgen05.ld {a}; use a; tcgen05.ld {b}; tcgen05.wait::ld; use b\n"
        "\n"
        "Sound because \"intra-thread ordering through true register dependency will be respected\n"
        "regardless of the presence or absence of other forms of synchronization\", and the later\n"
        "wait completes the same loads before anybody can tell the difference.\n"
        "\n"
        "Declined when on some path there comes first: tcgen05.st, mma, cp or shift (for wait::st\n"
        "also ld); a commit, a fence, an execution-ordering operation (also one that only\n"
        "acquires: the wait blocks what comes after it), tensor-memory allocation, a call, the\n"
        "end of the thread; or a write to a register of an operation that is still in flight, "
        "also\n"
        "by the same load in the next turn of a loop.\n"
        "\n"
        "Assumes sync-is-no-barrier; register-dependency when a loaded register is read before "
        "the\n"
        "covering wait; reads-commute when another tcgen05.ld is issued before it.",
    .because = "%s waits for the same operations before anything needs them complete",
    .candidates = CANDIDATE_WAIT,
    .match = match,
};
