/* Compares the waits and the signals of a mbarrier without following threads. See parity_fixed.h.
 */
#include "lint/parity_fixed.h"

#include "lint/handover.h"
#include "lint/mbarriers.h"
#include "lint/ring_rounds.h"
#include "lint/round_loop.h"
#include "value/instruction.h"

struct parity_search {
    struct lint *lint;
    const struct lint_code *code;
    struct round_loop loop; /* around the wait */
    bool begun;
    struct one_signal *signals; /* by kind of an mbarrier: see signal_of_mbarrier */
};

struct one_signal {
    bool known;
    const struct barrier_use *use; /* NULL: there is none, or more than one */
};

/* The operand of the parity; VALUE_NONE: a wait for a state, or not understood. */
static struct value parity_of(const struct lint *lint, const struct barrier_use *wait)
{
    if (!instruction_has(lint->subject, wait->instr, ".parity")) return VALUE_NONE;
    return value_of_operand(lint->subject, wait->instr, 2);
}

/* The loop that was found does something else than to poll the mbarrier. */
static bool is_work_in(const struct parity_search *s, const struct barrier_use *wait)
{
    const struct subject *subject = s->lint->subject;
    for (uint32_t n = 0; n < subject->acting_count; n++) {
        uint32_t i = subject->acting[n];
        lint_spend(s->lint, n % 8 == 0);
        if (!s->loop.blocks[s->lint->cfg->block_of[i]]) continue;
        const struct barrier_use *use = barriers_at(subject, i);
        if (!use || use->kind != BARRIER_WAIT || !barriers_may_be_same(use, wait)) return true;
    }
    return false;
}

/* No loop around the wait changes the value. */
static bool is_kept(const struct lint *lint, const struct barrier_use *wait, struct value v,
                    uint32_t depth)
{
    const struct expr e = *value_expr(lint->subject, v);
    if (value_is_constant(v) || e.fixed) return e.kind != EXPR_LOADED;
    if (depth == 4) return false;
    if (e.kind == EXPR_REG) {
        uint32_t write = value_last_write(lint->subject, e.web);
        for (; write != NO_WRITE; write = value_write_before(lint->subject, write)) {
            uint32_t instr = value_write_instr(lint->subject, write);
            if (handover_reaches(lint, wait->instr, instr) &&
                handover_reaches(lint, instr, wait->instr))
                return false;
        }
        return true;
    }
    if (e.kind != EXPR_OP && e.kind != EXPR_SUM) return false;
    for (int i = 0; i < 3; i++)
        if (e.a[i].base && !is_kept(lint, wait, e.a[i], depth + 1)) return false;
    return true;
}

/* Finds the smallest loop around the wait that does more than to poll. */
static bool find_rounds(struct parity_search *s, const struct barrier_use *wait)
{
    enum { EXAMINED_MAX = 16 };
    const struct lint *lint = s->lint;
    const uint32_t *block_of = lint->cfg->block_of;
    uint32_t examined = 0;
    if (!s->begun) round_loop_begin(&s->loop, lint), s->begun = true;
    for (uint32_t i = wait->instr + 1; i < lint->function->count && examined < EXAMINED_MAX; i++) {
        if (block_of[i] == block_of[i - 1]) continue;
        lint_spend(lint, 1);
        examined++;
        if (handover_reaches(lint, wait->instr, i) && handover_reaches(lint, i, wait->instr) &&
            round_loop_find(&s->loop, block_of[i]) && s->loop.blocks[block_of[wait->instr]] &&
            is_work_in(s, wait))
            return true;
    }
    return false;
}

/* In each round of a loop one instruction begins a phase of the mbarrier of the wait, and no other
 * may. Returns that instruction, or NULL. */
static const struct barrier_use *find_signal_of_mbarrier(const struct lint *lint,
                                                         const struct barrier_use *wait)
{
    const struct barriers *all = lint->subject->barriers;
    const struct barrier_use *found = NULL;
    for (uint32_t i = UINT32_MAX; (i = barriers_next_alike(lint->subject, wait, i)) < all->count;) {
        const struct barrier_use *use = &all->uses[i];
        if (use->kind == BARRIER_INIT || use->kind == BARRIER_INVAL) {
            if (handover_reaches(lint, use->instr, use->instr) && !wait->indexed) return NULL;
            continue;
        }
        if (use->kind == BARRIER_COPY || use->kind == BARRIER_EXPECT || use->kind == BARRIER_WAIT)
            continue;
        if (!barriers_same(use, wait) || found || use->remote) return NULL;
        if (!handover_reaches(lint, use->instr, use->instr)) return NULL;
        found = use;
    }
    return found;
}

/* The same, found once for each mbarrier. */
static const struct barrier_use *signal_of_mbarrier(const struct parity_search *s,
                                                    const struct barrier_use *wait)
{
    struct one_signal *signal = &s->signals[mbarriers_kind(s->lint, wait)];
    if (!signal->known) *signal = (struct one_signal){true, find_signal_of_mbarrier(s->lint, wait)};
    return signal->use;
}

/* The thread may wait for the mbarrier again, with another parity. */
static bool waits_otherwise(const struct lint *lint, const struct barrier_use *wait)
{
    const struct barriers *all = lint->subject->barriers;
    for (uint32_t i = UINT32_MAX; (i = barriers_next_alike(lint->subject, wait, i)) < all->count;) {
        const struct barrier_use *use = &all->uses[i];
        if (use->kind == BARRIER_WAIT && barriers_same(use, wait) &&
            !value_same(parity_of(lint, use), parity_of(lint, wait)) &&
            (handover_reaches(lint, wait->instr, use->instr) ||
             value_is_none(parity_of(lint, use))))
            return true;
    }
    return false;
}

static void check_wait(struct parity_search *s, const struct barrier_use *wait)
{
    struct lint *lint = s->lint;
    struct value parity = parity_of(lint, wait);
    if (value_is_none(parity) || value_is_none(wait->object)) return;
    if (!handover_reaches(lint, wait->instr, wait->instr)) return;
    if (lint_has_reported(lint, s->code, wait->instr)) return;
    const struct barrier_use *signal = signal_of_mbarrier(s, wait);
    if (!signal || waits_otherwise(lint, wait)) return;
    if (!is_kept(lint, wait, parity, 0) || !find_rounds(s, wait)) return;
    if (wait->indexed && !ring_rounds_may_turn(lint, wait->address.base, s->loop.blocks)) return;
    lint_report(lint,
                (struct hazard){s->code, LINT_WARNING, wait->instr, signal->instr,
                                "each round waits for the same parity[, but %s begins the "
                                "next phase]: the second wait returns at once, or never",
                                "invert the parity after each wait for a phase", NULL, 0, NULL});
}

void parity_fixed_find(struct lint *lint, const struct lint_code *code)
{
    const struct barriers *all = lint->subject->barriers;
    struct parity_search s = {.lint = lint, .code = code};
    s.signals = arena_alloc(lint->arena, mbarriers_kinds(lint), sizeof *s.signals);
    for (uint32_t i = 0; i < all->count; i++)
        if (all->uses[i].kind == BARRIER_WAIT) check_wait(&s, &all->uses[i]);
    if (s.begun) round_loop_end(&s.loop);
}
