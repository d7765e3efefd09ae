/* Finds the arrivals that a thread reaches. See own_arrivals.h. */
#include "lint/own_arrivals.h"

#include "lint/arrays.h"
#include "lint/handover.h"
#include "lint/walk.h"

bool own_arrivals_is(const struct barrier_use *use)
{
    return use->kind == BARRIER_ARRIVE || use->kind == BARRIER_ARRIVE_EXPECT;
}

void own_arrivals_note(struct own_arrivals *all, const struct barrier_use *use)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (all->at[i] == use) return;
    if (all->count < OWN_ARRIVALS_MAX) all->at[all->count++] = use;
}

static uint32_t awaited_place(const struct awaited *awaited, uint32_t number)
{
    uint32_t i = 0;
    while (i < awaited->count && awaited->at[i] != number) i++;
    return i;
}

void awaited_add(struct awaited *awaited, uint32_t number)
{
    if (awaited_place(awaited, number) < awaited->count) return;
    if (awaited->count == sizeof awaited->at / sizeof *awaited->at)
        awaited->more = true;
    else
        awaited->at[awaited->count++] = number;
}

void awaited_meet(struct awaited *awaited, uint32_t number)
{
    uint32_t i = awaited_place(awaited, number);
    if (i < awaited->count) awaited->at[i] = awaited->at[--awaited->count];
}

bool own_arrivals_may_have(const struct lint *lint, const struct own_arrivals *all,
                           const struct barrier_use *wait)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (!arrays_likely_others(lint, all->at[i], wait)) return true;
    return false;
}

bool own_arrivals_alone(const struct lint *lint, const struct barrier_use *arrival)
{
    const struct barriers *all = lint->subject->barriers;
    bool one = false, several = false, others = false;
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct barrier_use *use = &all->uses[i];
        if (use == arrival || arrays_likely_others(lint, use, arrival)) continue;
        others |= own_arrivals_is(use);
        if (use->kind != BARRIER_INIT) continue;
        struct value count = value_of_operand(lint->subject, use->instr, 1);
        bool is_one = value_is_constant(count) && count.offset == 1;
        one |= is_one;
        several |= !is_one;
    }
    return !others || (one && !several);
}

/* ---- after an instruction ---- */

static enum walk_does look_behind_end(void *context, const struct lint *lint, uint32_t instr,
                                      unsigned *state)
{
    struct own_arrivals_end *end = context;
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    (void)state;
    if (!use || !own_arrivals_is(use)) return WALK_ON;
    bool *reached = &end->reached[use - lint->subject->barriers->uses];
    end->awaited -= !*reached;
    *reached = true;
    return end->awaited ? WALK_ON : WALK_FOUND;
}

/* The number of arrivals that control may reach from the instruction. */
static uint32_t count_arrivals_behind(const struct lint *lint, uint32_t end)
{
    const struct barriers *all = lint->subject->barriers;
    uint32_t count = 0;
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count; i++)
        count += own_arrivals_is(&all->uses[i]) && handover_reaches(lint, end, all->uses[i].instr);
    return count;
}

const bool *own_arrivals_behind(const struct lint *lint, struct own_arrivals_ends *ends,
                                uint32_t instr)
{
    const uint32_t arrivals = 1u << EFFECT_RELEASE_BARRIER;
    struct walk_path path;
    for (uint32_t i = 0; i < ends->count; i++)
        if (ends->at[i].instr == instr) return ends->at[i].reached;
    struct own_arrivals_end end = {.instr = instr, .awaited = count_arrivals_behind(lint, instr)};
    end.reached = arena_alloc(lint->arena, lint->subject->barriers->count, sizeof *end.reached);
    if (end.awaited) (void)walk_forward(lint, instr, 0, arrivals, look_behind_end, &end, &path);
    vec_push(ends, end);
    return end.reached;
}
