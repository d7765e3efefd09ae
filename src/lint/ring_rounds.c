/* Decides whether a loop comes back to an mbarrier of a ring, from the constants that its counter
 * is compared with. See ring_rounds.h. */
#include "lint/ring_rounds.h"

#include "lint/handover.h"
#include "lint/mbarriers.h"
#include "value/instruction.h"

struct ring {
    const struct lint *lint;
    const struct barrier_use *armed;
    const bool *loop; /* by block */
};

/* A register that is `first` before the loop and that the loop increases by one. base: of its
 * value; 0: no such register. */
struct counter {
    uint32_t base;
    int64_t first;
};

static bool is_small_number(struct value v)
{
    return value_is_constant(v) && v.offset >= 0 && v.offset <= INT32_MAX;
}

/* One definition in the loop adds one, and one constant outside the loop reaches it. */
static struct counter counter_of_register(const struct ring *s, uint32_t base, uint32_t web)
{
    const struct lint *lint = s->lint;
    uint32_t inside = 0, outside = 0;
    struct counter counter = {base, 0};
    for (uint32_t write = value_last_write(lint->subject, web); write != NO_WRITE;
         write = value_write_before(lint->subject, write)) {
        uint32_t i = value_write_instr(lint->subject, write);
        lint_spend(lint, 1);
        struct value v = value_computed(lint->subject, i);
        bool in = s->loop[lint->cfg->block_of[i]];
        if (!in && !handover_reaches(lint, i, s->armed->instr)) continue;
        if (in ? v.base != base || v.offset != 1 : !is_small_number(v)) return (struct counter){0};
        if (!in) counter.first = v.offset;
        inside += in;
        outside += !in;
    }
    return inside == 1 && outside == 1 ? counter : (struct counter){0};
}

/* The counter on which the value with that base depends. */
static struct counter counter_of(const struct ring *s, uint32_t base, uint32_t depth)
{
    const struct expr e = *value_expr(s->lint->subject, (struct value){base, 0});
    struct counter found = {0};
    if (!base || e.fixed || depth == 8) return found;
    if (e.kind == EXPR_REG) return counter_of_register(s, base, e.web);
    for (int i = 0; i < 3 && !found.base; i++) found = counter_of(s, e.a[i].base, depth + 1);
    return found;
}

/* The number that the value is, if the counter has that value. */
static bool is_number_of(struct counter counter, int64_t count, struct value v, int64_t *number)
{
    if (v.base && v.base != counter.base) return false;
    *number = plus_wrapped(v.base ? count : 0, v.offset);
    return *number >= 0;
}

/* Whether the guard holds if the counter has that value. */
static enum truth truth_at(const struct lint *lint, struct value guard, struct counter counter,
                           int64_t count)
{
    const struct expr *e = value_expr(lint->subject, guard);
    int64_t a, b;
    if (e->kind != EXPR_EQ && e->kind != EXPR_LT_S && e->kind != EXPR_LT_U) return TRUTH_UNKNOWN;
    if (!is_number_of(counter, count, e->a[0], &a) || !is_number_of(counter, count, e->a[1], &b))
        return TRUTH_UNKNOWN;
    bool holds = e->kind == EXPR_EQ ? a == b : a < b;
    return holds != (guard.offset & 1) ? TRUTH_YES : TRUTH_NO;
}

/* The branch leaves the loop or stays in it, which the counter decides: *stays tells whether it
 * stays for all values from the first one to the last one. */
static bool stays_until(const struct ring *s, uint32_t block, struct counter counter, int64_t last,
                        bool *stays)
{
    const struct lint *lint = s->lint;
    const struct block *at = &lint->cfg->blocks[block];
    const uint32_t *succs = lint->cfg->succs + at->first_succ;
    if (at->succ_count != 2 || s->loop[succs[0]] == s->loop[succs[1]]) return false;
    struct value guard = value_of_guard(lint->subject, at->end - 1);
    enum truth stay = s->loop[succs[0]] ? TRUTH_YES : TRUTH_NO;
    *stays = true;
    if (value_is_none(guard)) return false;
    for (int64_t i = counter.first; i <= last; i++) {
        enum truth truth = truth_at(lint, guard, counter, i);
        if (truth == TRUTH_UNKNOWN) return false;
        *stays &= truth == stay;
    }
    return true;
}

/* The number of mbarriers of a ring whose index is a number without its upper bits; 0: unknown, or
 * too many to count. */
static int64_t ring_size(const struct lint *lint, const struct barrier_use *armed)
{
    enum { BARRIER_BYTES = 8, MOST = 64 };
    int64_t count = mbarriers_indexed_bytes(lint, armed) / BARRIER_BYTES;
    return count <= MOST ? count : 0;
}

/* The loop writes the register once, and adds a constant to it. */
static bool is_advanced(const struct lint *lint, uint32_t base, uint32_t web, const bool *loop)
{
    uint32_t inside = 0;
    for (uint32_t write = value_last_write(lint->subject, web); write != NO_WRITE;
         write = value_write_before(lint->subject, write)) {
        uint32_t i = value_write_instr(lint->subject, write);
        lint_spend(lint, 1);
        if (!loop[lint->cfg->block_of[i]]) continue;
        struct value v = value_computed(lint->subject, i);
        if (v.base != base || !v.offset) return false;
        inside++;
    }
    return inside == 1;
}

/* The value is the sum of fixed terms and of a multiple of such a register. */
static bool grows(const struct lint *lint, uint32_t base, const bool *loop, uint32_t depth)
{
    const struct expr e = *value_expr(lint->subject, (struct value){base, 0});
    uint32_t changing = 0;
    if (e.kind == EXPR_REG) return is_advanced(lint, base, e.web, loop);
    if (depth == 8 || (e.kind != EXPR_SUM && e.kind != EXPR_PRODUCT)) return false;
    for (int i = 0; i < 3; i++) {
        if (!e.a[i].base || value_is_fixed(lint->subject, e.a[i])) continue;
        if (!grows(lint, e.a[i].base, loop, depth + 1)) return false;
        changing++;
    }
    return changing == 1;
}

bool ring_rounds_go_on(const struct lint *lint, const struct barrier_use *armed, const bool *loop)
{
    return armed->address.base && grows(lint, armed->address.base, loop, 0);
}

enum truth ring_rounds_wrap(const struct lint *lint, const struct barrier_use *armed,
                            const bool *loop)
{
    enum { SIZE_IF_UNKNOWN = 4 };
    const struct ring ring = {lint, armed, loop};
    struct counter counter = counter_of(&ring, armed->address.base, 0);
    int64_t size = ring_size(lint, armed);
    bool decided = false, stays;
    int64_t last = plus_wrapped(counter.first, size ? size : SIZE_IF_UNKNOWN);
    if (!counter.base) return TRUTH_UNKNOWN;
    lint_spend(lint, lint->cfg->count);
    for (uint32_t b = 0; b < lint->cfg->count; b++) {
        if (!loop[b] || !stays_until(&ring, b, counter, last, &stays)) continue;
        if (!stays) return TRUTH_NO;
        decided = true;
    }
    return decided ? TRUTH_YES : TRUTH_UNKNOWN;
}

bool ring_rounds_once(const struct lint *lint, struct round_loop *l, const struct barrier_use *use)
{
    uint32_t block = lint->cfg->block_of[use->instr];
    if (!l->in_any[block]) return true;
    return round_loop_find(l, block) &&
           (ring_rounds_go_on(lint, use, l->blocks) ||
            ring_rounds_wrap(lint, use, l->blocks) == TRUTH_NO) &&
           !round_loop_widen(l);
}

/* ---- an index that comes back ---- */

/* The loop counts in the register and sets it back to a constant, or computes it from itself
 * otherwise than by adding: it takes the same values again. loop: NULL for the whole function. */
static bool is_set_back(const struct lint *lint, uint32_t base, uint32_t web, const bool *loop)
{
    const struct subject *subject = lint->subject;
    bool counts = false, starts = false;
    uint32_t write = value_last_write(subject, web);
    for (; write != NO_WRITE; write = value_write_before(subject, write)) {
        uint32_t instr = value_write_instr(subject, write);
        struct value v = value_computed(subject, instr);
        lint_spend(lint, 1);
        if (value_is_none(v) || (loop && !loop[lint->cfg->block_of[instr]])) continue;
        const struct expr *by = value_expr(subject, v);
        for (int i = 0; by->kind == EXPR_OP && i < 3; i++)
            if (by->a[i].base == base) return true;
        starts |= value_is_constant(v);
        starts |= by->kind == EXPR_SELECT && (!by->a[0].base || !by->a[1].base);
        counts |= v.base == base || by->kind == EXPR_SELECT;
    }
    return counts && starts;
}

static bool may_turn(const struct lint *lint, uint32_t base, const bool *loop, uint32_t depth)
{
    const struct expr e = *value_expr(lint->subject, (struct value){base, 0});
    if (!base || e.fixed || depth == 8) return false;
    if (e.kind == EXPR_OP && e.spelling != SPELLING_SHIFT_RIGHT) return true;
    if (e.kind == EXPR_REG) return is_set_back(lint, base, e.web, loop);
    for (int i = 0; i < 3; i++)
        if (may_turn(lint, e.a[i].base, loop, depth + 1)) return true;
    return false;
}

bool ring_rounds_may_turn(const struct lint *lint, uint32_t base, const bool *loop)
{
    return may_turn(lint, base, loop, 0);
}
