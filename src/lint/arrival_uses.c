/* Reads arrivals and the counts of mbarriers, for the parts of the code arrival-count. See
 * arrivals.h. */
#include "lint/arrays.h"
#include "lint/arrivals.h"
#include "lint/handover.h"
#include "lint/mbarriers.h"
#include "lint/meet.h"
#include "lint/walk.h"
#include "value/instruction.h"
#include "value/values.h"

/* ---- which mbarrier ---- */

bool arrivals_may_be_at(const struct lint *lint, const struct barrier_use *init,
                        const struct barrier_use *use)
{
    lint_spend(lint, 1);
    return mbarriers_meet(lint, use, init) && !arrays_likely_others(lint, init, use);
}

int64_t arrivals_most_counted(const struct lint *lint, const struct barriers *all,
                              const struct barrier_use *use, uint32_t *init)
{
    int64_t most = 0;
    if (value_is_none(use->object)) return 0;
    for (uint32_t i = UINT32_MAX;
         (i = barriers_next_init_of(lint->subject, all, use, i)) < all->count;) {
        const struct barrier_use *other = &all->uses[i];
        if (!arrivals_may_be_at(lint, other, use)) continue;
        int64_t count = mbarriers_counted(lint, other);
        if (!count || value_is_none(other->object)) return 0;
        if (count > most) most = count, *init = other->instr;
    }
    return most;
}

/* What init initialises is an element of the array of the use, and has that count on each path. A
 * later mbarrier that some instruction uses by its own address may be behind the array. */
static bool is_element_of(const struct lint *lint, const struct barrier_use *init,
                          const struct barrier_use *use)
{
    const struct barriers *all = lint->subject->barriers;
    bool first = init->object.offset == use->object.offset;
    if (init->object.base != use->object.base) return false;
    if (!arrivals_may_be_at(lint, init, use)) return false;
    for (uint32_t i = all->first_same[init - all->uses]; i < all->count; i = all->next_same[i]) {
        const struct barrier_use *other = &all->uses[i];
        lint_spend(lint, 1);
        if (other == init || other->kind == BARRIER_INVAL) continue;
        if (!first || other->kind == BARRIER_INIT) return false;
    }
    return true;
}

int64_t arrivals_least_counted(const struct lint *lint, const struct barrier_use *use, int64_t most,
                               uint32_t *init)
{
    const struct barriers *all = lint->subject->barriers;
    if (!use->indexed) return most;
    for (uint32_t i = UINT32_MAX; (i = barriers_next_init(lint->subject, use, i)) < all->count;) {
        const struct barrier_use *other = &all->uses[i];
        int64_t count = mbarriers_counted(lint, other);
        if (count < most && is_element_of(lint, other, use)) most = count, *init = other->instr;
    }
    return most;
}

bool arrivals_behind_array(const struct lint *lint, const struct barrier_use *init,
                           const struct barrier_use *use)
{
    const struct barriers *all = lint->subject->barriers;
    if (!use->indexed || init->indexed) return false;
    int64_t bytes = mbarriers_indexed_bytes(lint, use);
    if (bytes && minus_wrapped(init->object.offset, use->object.offset) < bytes) return false;
    for (uint32_t i = 0; i < all->init_count; i++) {
        const struct barrier_use *first = &all->uses[all->inits[i]];
        if (!first->indexed && value_same(first->object, use->object))
            return mbarriers_counted(lint, first) &&
                   mbarriers_counted(lint, first) != mbarriers_counted(lint, init);
    }
    return false;
}

/* ---- one arrival ---- */

bool arrivals_is_counted(const struct barrier_use *use)
{
    return use->kind == BARRIER_ARRIVE || use->kind == BARRIER_ARRIVE_EXPECT ||
           use->kind == BARRIER_COMMIT || use->kind == BARRIER_ASYNC_ARRIVE;
}

int64_t arrivals_of_thread(const struct lint *lint, const struct barrier_use *use)
{
    const struct subject *subject = lint->subject;
    if (use->kind == BARRIER_ASYNC_ARRIVE) return instruction_has(subject, use->instr, ".noinc");
    if (instruction_has(subject, use->instr, ".arrive_drop")) return -1;
    if (use->kind != BARRIER_ARRIVE) return arrivals_is_counted(use);
    uint32_t n = instruction_first_address(subject, use->instr);
    if (n + 1 >= lint->function->instrs[use->instr].operand_count) return 1;
    struct value v = value_of_operand(subject, use->instr, n + 1);
    return value_is_constant(v) ? v.offset : -1;
}

static enum walk_does look_again(void *context, const struct lint *lint, uint32_t instr,
                                 unsigned *state)
{
    (void)state;
    if (instr == *(const uint32_t *)context) return WALK_FOUND;
    return meet_kind_of(lint, instr) == MEET_NOBODY ? WALK_ON : WALK_END;
}

enum repeats { REPEATS_UNKNOWN, REPEATS_NOT, REPEATS };

enum { PLAIN = 1 << EFFECT_REGISTER | 1 << EFFECT_MEMORY };

static bool is_repeated(const struct lint *lint, uint32_t instr)
{
    struct walk_path path;
    if (!handover_reaches(lint, instr, instr)) return false;
    return walk_find(lint, instr, 0, ~(uint32_t)PLAIN, look_again, &instr, &path) || path.gave_up;
}

bool arrivals_repeat(struct arrivals *a, uint32_t instr)
{
    const struct barriers *all = a->lint->subject->barriers;
    if (!a->repeats) a->repeats = arena_alloc(a->lint->arena, all->count, sizeof *a->repeats);
    uint8_t *repeats = &a->repeats[barriers_at(a->lint->subject, instr) - all->uses];
    if (*repeats == REPEATS_UNKNOWN) *repeats = is_repeated(a->lint, instr) ? REPEATS : REPEATS_NOT;
    return *repeats == REPEATS;
}
