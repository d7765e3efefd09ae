/* Finds the threads that come to an arrival together. See arrivals.h. */
#include "lint/arrivals.h"

#include "lint/handover.h"
#include "lint/meet.h"
#include "value/conditions.h"
#include "value/instruction.h"
#include "value/values.h"

/* ---- what differs among threads ---- */

static bool is_of_thread(struct str name)
{
    return str_starts(name, "%tid") || str_starts(name, "%lane") || str_is(name, "%warpid");
}

/* Where its value is one thread's own, whatever its operands are. */
static bool is_source(const struct lint *lint, uint32_t i)
{
    struct str base = instruction_base(lint->subject, i);
    return str_is(base, "elect") || str_is(base, "atom") || str_is(base, "activemask");
}

/* Only some of those of whom `all` holds meet `some`, for all that is known. */
static bool is_for_some(const struct lint *lint, const struct condition_set *some,
                        const struct condition_set *all)
{
    for (uint32_t i = 0; i < some->count; i++) {
        struct value c = {some->at[i].base, 0};
        if (value_expr(lint->subject, c)->of_block) continue;
        if (condition_truth(lint->subject, all, c) == TRUTH_UNKNOWN) return true;
    }
    return false;
}

static void find_blocks(struct arrivals *a)
{
    const struct lint *lint = a->lint;
    for (uint32_t b = 0; b < lint->cfg->count; b++) {
        const struct condition_set *set = conditions_at(lint->subject, b);
        a->never[b] =
            !conditions_reach(lint->subject, b) || conditions_exclude(lint->subject, set, &a->set);
        a->some[b] = is_for_some(lint, set, &a->set);
    }
}

static bool reads_what_differs(const struct lint *lint, const bool *differs, uint32_t i)
{
    const struct instr *instr = &lint->function->instrs[i];
    for (uint32_t u = 0; u < instr->use_count; u++) {
        const struct use *use = &lint->function->uses[instr->first_use + u];
        if (!use->write && differs[use->reg]) return true;
    }
    return instr->guard != REG_NONE && differs[instr->guard];
}

/* True when that was not known before. */
static bool mark_written(const struct lint *lint, bool *differs, uint32_t i)
{
    const struct instr *instr = &lint->function->instrs[i];
    bool more = false;
    for (uint32_t u = 0; u < instr->use_count; u++) {
        const struct use *use = &lint->function->uses[instr->first_use + u];
        if (!use->write || differs[use->reg]) continue;
        differs[use->reg] = more = true;
    }
    return more;
}

/* What only some of them write is not the same for all, unless no other thread writes it. */
static void mark_some(struct arrivals *a, uint32_t i)
{
    const struct instr *instr = &a->lint->function->instrs[i];
    for (uint32_t u = 0; u < instr->use_count; u++) {
        const struct use *use = &a->lint->function->uses[instr->first_use + u];
        uint32_t last;
        if (use->write && value_definitions(a->lint->subject, use->reg, &last) > 1)
            a->differs[use->reg] = true;
    }
}

static void find_differences(struct arrivals *a)
{
    const struct lint *lint = a->lint;
    const uint32_t *block_of = lint->cfg->block_of;
    bool more = true;
    for (uint32_t r = 0; r < lint->function->reg_count; r++)
        a->differs[r] = is_of_thread(value_name(lint->subject, r));
    for (uint32_t i = 0; i + 1 < lint->function->count; i++)
        if (!a->never[block_of[i]] && a->some[block_of[i]]) mark_some(a, i);
    while (more) {
        more = false;
        lint_spend(lint, lint->function->count);
        for (uint32_t i = 0; i + 1 < lint->function->count; i++)
            if (!a->never[block_of[i]] &&
                (is_source(lint, i) || reads_what_differs(lint, a->differs, i)))
                more |= mark_written(lint, a->differs, i);
    }
}

/* ---- in step ---- */

static bool is_turn(const struct arrivals *a, uint32_t i)
{
    const struct instr *instr = &a->lint->function->instrs[i];
    bool leaves = instr->opcode->traits & (OPCODE_BRANCH | OPCODE_TABLE_BRANCH) ||
                  instr->opcode->effect == EFFECT_EXIT;
    if (!leaves) return false;
    if (instr->opcode->traits & OPCODE_TABLE_BRANCH)
        return reads_what_differs(a->lint, a->differs, i);
    if (instr->guard == REG_NONE || !a->differs[instr->guard]) return false;
    struct value guard = value_of_guard(a->lint->subject, i);
    return !value_is_fixed(a->lint->subject, guard);
}

struct arrivals arrivals_begin(struct lint *lint, const struct lint_code *code)
{
    struct arrivals a = {.lint = lint, .code = code, .shape = lanes_shape_of(lint->subject)};
    a.never = arena_alloc(lint->arena, lint->cfg->count, sizeof *a.never);
    a.some = arena_alloc(lint->arena, lint->cfg->count, sizeof *a.some);
    a.differs = arena_alloc(lint->arena, lint->function->reg_count + 1, sizeof *a.differs);
    a.turns = arena_alloc(lint->arena, lint->function->count, sizeof *a.turns);
    return a;
}

/* The threads that come to instr are examined. */
static void arrivals_follow(struct arrivals *a, uint32_t instr)
{
    struct condition_set set = conditions_of(a->lint->subject, instr);
    if (a->asked && conditions_same(&set, &a->set)) return;
    a->asked = true;
    a->set = set;
    a->turn_count = 0;
    find_blocks(a);
    find_differences(a);
    for (uint32_t i = 0; i + 1 < a->lint->function->count; i++)
        if (!a->never[a->lint->cfg->block_of[i]] && is_turn(a, i)) a->turns[a->turn_count++] = i;
}

/* Warps wait in turn in the loop around instr. */
static bool is_taken_in_turn(const struct arrivals *a, uint32_t instr)
{
    const struct handovers *all = a->lint->handovers;
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t wait = all->at[i].instr;
        if (wait == instr || meet_kind_of(a->lint, wait) == MEET_NOBODY) continue;
        if (!handover_reaches(a->lint, wait, instr)) continue;
        if (!handover_reaches(a->lint, instr, wait)) continue;
        struct condition_set other = conditions_of(a->lint->subject, wait);
        if (reads_what_differs(a->lint, a->differs, wait) || is_for_some(a->lint, &other, &a->set))
            return true;
    }
    return false;
}

bool arrivals_in_step(struct arrivals *a, uint32_t instr, bool warps)
{
    const struct instr *at = &a->lint->function->instrs[instr];
    arrivals_follow(a, instr);
    for (uint32_t u = 0; u < at->use_count; u++) {
        const struct use *use = &a->lint->function->uses[at->first_use + u];
        if (!use->write && a->differs[use->reg] && use->reg != at->guard) return false;
    }
    if (at->guard != REG_NONE && a->differs[at->guard] &&
        !value_is_fixed(a->lint->subject, value_of_guard(a->lint->subject, instr)))
        return false;
    for (uint32_t i = 0; i < a->turn_count; i++)
        if (handover_reaches(a->lint, a->turns[i], instr)) return false;
    return !warps || !is_taken_in_turn(a, instr);
}

struct lanes_number arrivals_number(const struct arrivals *a, uint32_t instr)
{
    struct condition_set set = conditions_of(a->lint->subject, instr);
    return lanes_count(a->lint->subject, &a->shape, &set);
}
