/* The code dependency-wait-missing: under programmatic dependent launch, the previous grid may
 * still run until griddepcontrol.wait, and the next grid may start at launch_dependents.
 *
 *     ld.global r, [p]; griddepcontrol.wait; ld.global s, [p+16]     broken
 *     griddepcontrol.wait; ld.global r, [p]; ld.global s, [p+16]     right
 *
 * The text does not say which memory the previous grid writes. Lint assumes that it is the memory
 * of a pointer parameter if another access through the same parameter is after a wait. */
#include "base/mem.h"
#include "base/sorted.h"
#include "lint/dependents.h"
#include "lint/first_round.h"
#include "lint/global_root.h"
#include "lint/handover.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"
#include "value/expr.h"
#include "value/instruction.h"

struct search {
    struct lint *lint;
    struct global_accesses all;
    struct VEC(uint32_t) waits, launches;
    struct dependents *dependents; /* NULL until needed */
    uint32_t *place;               /* by instruction: 1 + the index of its access in all; 0: none */
    uint32_t *bases;               /* by access: see base_of_address; NULL until needed */
    bool *ahead;                   /* by access: some path reaches it without a wait */
    bool *early;                   /* by handover, as ahead; NULL: trace_learning has not run */
    bool *learns;                  /* by handover: a wait from trace_learning */
    bool skipped;                  /* report_skipped has reported an access */
    uint32_t from, to;
    bool set_up; /* only what a thread does before it waits at any mbarrier is examined */
};

static const uint32_t acquires = 1u << EFFECT_ACQUIRE_BARRIER | 1u << EFFECT_ACQUIRE_MEMORY |
                                 1u << EFFECT_BOTH_BARRIER | 1u << EFFECT_BOTH_MEMORY |
                                 1u << EFFECT_CALL;

static const uint32_t accesses = 1u << EFFECT_MEMORY | 1u << EFFECT_MEET_MEMORY |
                                 1u << EFFECT_RELEASE_MEMORY | 1u << EFFECT_ACQUIRE_MEMORY |
                                 1u << EFFECT_BOTH_MEMORY;

static bool is_dependency_wait(const struct lint *lint, uint32_t instr)
{
    return str_starts(instruction_opcode(lint->subject, instr), "griddepcontrol.wait");
}

static bool is_launch(const struct lint *lint, uint32_t instr)
{
    return str_starts(instruction_opcode(lint->subject, instr), "griddepcontrol.launch");
}

/* The access of the instruction; NULL: none. */
static struct global_access *access_at(const struct search *s, uint32_t instr)
{
    return s->place[instr] ? &s->all.at[s->place[instr] - 1] : NULL;
}

/* ---- accesses before the wait ---- */

/* The instruction may be a wait for another thread that has executed griddepcontrol.wait. */
static bool may_learn_of_grid(const struct search *s, uint32_t instr)
{
    const struct handovers *all = s->lint->handovers;
    const struct handover *wait = handover_at(s->lint, instr);
    if (!wait || !wait->waits) return false;
    if (s->early && s->learns[wait - all->at]) return true;
    const struct handover_list *signals = handover_signals(s->lint, (uint32_t)(wait - all->at));
    for (uint32_t i = 0; i < signals->count; i++)
        for (uint32_t w = 0; w < s->waits.count; w++)
            if (handover_reaches(s->lint, s->waits.at[w], all->at[signals->at[i]].instr))
                return !first_round_passes(s->lint, instr);
    return false;
}

static enum walk_does look_ahead(void *context, const struct lint *lint, uint32_t instr,
                                 unsigned *state)
{
    struct search *s = context;
    struct global_access *access = access_at(s, instr);
    const struct handover *h = s->early ? handover_at(lint, instr) : NULL;
    (void)state;
    if (access) s->ahead[access - s->all.at] = true;
    if (h) s->early[h - lint->handovers->at] = true;
    enum effect effect = lint_effect(lint, instr);
    if (instr == s->to) return WALK_FOUND;
    if (effect == EFFECT_CALL || is_dependency_wait(lint, instr)) return WALK_END;
    if (s->set_up && effect == EFFECT_ACQUIRE_BARRIER) return WALK_END;
    return may_learn_of_grid(s, instr) ? WALK_END : WALK_ON;
}

/* A thread gives each signal for which the wait may be only after griddepcontrol.wait, or after a
 * wait at which it learns that another thread has executed that. */
static bool is_for_late_signals(const struct search *s, uint32_t wait)
{
    const struct handovers *all = s->lint->handovers;
    const struct handover_list *signals = handover_signals(s->lint, wait);
    bool any = false;
    for (uint32_t i = 0; i < signals->count; i++) {
        const struct handover *signal = &all->at[signals->at[i]];
        if (handover_likely_others(s->lint, signal, &all->at[wait])) continue;
        if (s->early[signals->at[i]]) return false;
        any = true;
    }
    return any;
}

/* Finds the waits that learn of griddepcontrol.wait through several threads, and computes ahead
 * again. Takes several walks, so it runs only if there is something to report. */
static void trace_learning(struct search *s)
{
    const struct handovers *all = s->lint->handovers;
    struct walk_path path;
    if (s->early) return;
    s->early = arena_alloc(s->lint->arena, all->count, sizeof *s->early);
    s->learns = arena_alloc(s->lint->arena, all->count, sizeof *s->learns);
    for (bool more = true; more;) {
        memset(s->ahead, 0, s->all.count * sizeof *s->ahead);
        memset(s->early, 0, all->count * sizeof *s->early);
        s->to = NO_INSTR;
        (void)walk_from_entry(s->lint, 0, ~(1u << EFFECT_REGISTER), look_ahead, s, &path);
        more = false;
        for (uint32_t i = 0; i < all->count && !path.gave_up; i++) {
            if (all->at[i].channel != CHANNEL_MBARRIER || !all->at[i].waits || s->learns[i])
                continue;
            s->learns[i] =
                is_for_late_signals(s, i) && !first_round_passes(s->lint, all->at[i].instr);
            more |= s->learns[i];
        }
    }
}

static bool may_be_behind_wait(const struct search *s, uint32_t instr)
{
    /* Mostly the last wait in front of it. */
    uint32_t count = s->waits.count, near = sorted_find(s->waits.at, 0, count, instr);
    for (uint32_t w = near + count; w-- > near;)
        if (handover_reaches(s->lint, s->waits.at[w % count], instr)) return true;
    return false;
}

static bool is_behind_wait(const struct search *s, const struct global_access *access)
{
    return !s->ahead[access - s->all.at] && may_be_behind_wait(s, access->instr);
}

/* A griddepcontrol.wait of the same thread that can follow the access; NO_INSTR: none. */
static uint32_t wait_behind(const struct search *s, uint32_t instr)
{
    /* Mostly the next wait. */
    uint32_t count = s->waits.count, near = sorted_find(s->waits.at, 0, count, instr);
    for (uint32_t w = near; w < near + count; w++)
        if (handover_reaches(s->lint, instr, s->waits.at[w % count])) return s->waits.at[w % count];
    return NO_INSTR;
}

/* The access may be the first iteration of a loop, which the compiler has moved before the wait. */
static bool is_prefetch(const struct search *s, uint32_t instr)
{
    return wait_behind(s, instr) != NO_INSTR;
}

/* Some access to the memory is before the wait. */
static bool is_root_ahead(const struct search *s, const struct global_root *root)
{
    lint_spend(s->lint, s->all.count / 8 + 1);
    for (uint32_t i = 0; i < s->all.count; i++)
        if (s->ahead[i] && global_roots_same(&s->all.at[i].root, root)) return true;
    return false;
}

/* After the wait, the kernel also reads other memory, which it has not read before. If it does not,
 * the grid before has written this one: for what else would the kernel wait? */
static bool reads_other_behind_wait(const struct search *s, const struct global_access *access)
{
    lint_spend(s->lint, s->all.count);
    for (uint32_t i = 0; i < s->all.count; i++) {
        const struct global_access *other = &s->all.at[i];
        if (other->kind != GLOBAL_WRITE && !global_roots_same(&other->root, &access->root) &&
            is_behind_wait(s, other) && !is_root_ahead(s, &other->root))
            return true;
    }
    return s->lint->handovers->calls;
}

/* The previous grid most likely does not write the memory: it is only loaded with .nc, or it holds
 * weights, which kernels copy before the wait through the same parameter as other data. */
static bool may_be_constant(const struct search *s, const struct global_access *access)
{
    bool only = access->kind == GLOBAL_LOAD_NC;
    if (!only && (access->kind != GLOBAL_COPY || !is_prefetch(s, access->instr))) return false;
    lint_spend(s->lint, s->all.count);
    for (uint32_t i = 0; i < s->all.count; i++) {
        const struct global_access *other = &s->all.at[i];
        if (!global_roots_same(&other->root, &access->root)) continue;
        if (other->kind == GLOBAL_WRITE || (only && other->kind == GLOBAL_LOAD)) return false;
    }
    return only || reads_other_behind_wait(s, access);
}

/* Another access to the same memory that is after the wait on every path; NULL: none. */
static const struct global_access *other_behind_wait(const struct search *s,
                                                     const struct global_access *access)
{
    lint_spend(s->lint, s->all.count);
    for (uint32_t i = 0; i < s->all.count; i++) {
        const struct global_access *other = &s->all.at[i];
        if (other == access || !global_roots_same(&other->root, &access->root)) continue;
        if (is_behind_wait(s, other)) return other;
    }
    return NULL;
}

static void report_ahead(struct search *s, const struct global_access *access, uint32_t other,
                         const char *says)
{
    struct walk_path path;
    bool set_up = s->set_up;
    s->set_up = false;
    trace_learning(s);
    s->set_up = set_up;
    s->to = access->instr;
    bool found = walk_from_entry(s->lint, 0, acquires | 1u << lint_effect(s->lint, access->instr),
                                 look_ahead, s, &path);
    s->to = NO_INSTR;
    if (!found || path.vague) return;
    lint_report(
        s->lint,
        (struct hazard){&lint_dependency_wait_missing, LINT_WARNING, access->instr, other, says,
                        "execute griddepcontrol.wait before this access, too, or wait for a "
                        "signal of a thread that has executed it",
                        path.instrs, path.count, NULL});
}

static void report_ahead_of(struct search *s, const struct global_access *access, uint32_t other)
{
    report_ahead(s, access, other,
                 access->kind == GLOBAL_WRITE
                     ? "this write[ of global memory] has no griddepcontrol.wait before it, but %s "
                       "has[; both use the same parameter]"
                     : "this read[ of global memory] has no griddepcontrol.wait before it, but %s "
                       "has[; both use the same parameter]");
}

/* ---- a wait that only some threads execute ---- */

/* The value differs among the threads of the grid, not only among launches. */
static bool differs_in_grid(const struct lint *lint, uint32_t base)
{
    const struct expr e = *value_expr(lint->subject, (struct value){base, 0});
    lint_spend(lint, 1);
    if (!e.of_block || e.kind == EXPR_LOADED) return true;
    if (e.kind == EXPR_NAME) return str_starts(value_name(lint->subject, e.web), "%ctaid");
    for (int i = 0; i < 3; i++)
        if (e.a[i].base && differs_in_grid(lint, e.a[i].base)) return true;
    return false;
}

/* The threads of the set skip the wait by a condition that differs in the grid. A condition that is
 * the same in the whole grid may say that the launch is not a dependent one. */
static bool skips_wait(const struct search *s, const struct condition_set *set, uint32_t wait)
{
    struct condition_set waits = conditions_of(s->lint->subject, wait);
    for (uint32_t i = 0; i < waits.count; i++) {
        enum truth truth =
            condition_truth(s->lint->subject, set, (struct value){waits.at[i].base, 0});
        if (truth == (waits.at[i].holds ? TRUTH_NO : TRUTH_YES) &&
            differs_in_grid(s->lint, waits.at[i].base))
            return true;
    }
    return false;
}

/* Reports the access if one instruction is executed by threads that have waited and by threads that
 * have skipped the wait. True if it has reported it. */
static bool report_skipped(struct search *s, const struct global_access *access)
{
    struct walk_path path;
    uint32_t wait = s->waits.at[0];
    if (s->skipped || s->waits.count != 1 || !handover_reaches(s->lint, wait, access->instr))
        return false;
    s->to = access->instr;
    bool found = walk_from_entry(s->lint, 0, acquires | 1u << lint_effect(s->lint, access->instr),
                                 look_ahead, s, &path);
    s->to = NO_INSTR;
    if (!found || path.vague || !skips_wait(s, &path.set, wait)) return false;
    s->skipped = true;
    lint_report(
        s->lint,
        (struct hazard){&lint_dependency_wait_missing, LINT_WARNING, access->instr, wait,
                        access->kind == GLOBAL_WRITE
                            ? "some threads write here without having executed %s[: a branch skips "
                              "it, and no barrier follows]"
                            : "some threads read here without having executed %s[: a branch skips "
                              "it, and no barrier follows]",
                        "execute griddepcontrol.wait in all threads, or write a barrier after it",
                        path.instrs, path.count, NULL});
    return true;
}

/* Weights may be read before the wait, but hardly any memory is set up there with intent: the
 * previous grid may read it, or write it, too. A kernel that stores results of its mma before the
 * wait uses memory that the previous grid does not. */
static void report_write_ahead(struct search *s, const struct global_access *access)
{
    uint32_t wait = wait_behind(s, access->instr);
    if (access->kind != GLOBAL_WRITE || wait == NO_INSTR) return;
    s->set_up = true;
    report_ahead(s, access, wait,
                 "this writes global memory before the griddepcontrol.wait at %s[: the grid "
                 "before may still use that memory]");
    s->set_up = false;
}

/* The value that the load gives decides which global memory is read after a wait, or which branch
 * is taken after this one of the same thread. */
static bool is_index(struct search *s, uint32_t load, uint32_t wait)
{
    const struct cfg *cfg = s->lint->cfg;
    if (!s->dependents) s->dependents = dependents_build(s->lint);
    dependents_follow(s->dependents, load);
    for (uint32_t i = 0; i < s->all.count; i++) {
        const struct global_access *other = &s->all.at[i];
        struct loaded_set by = dependents_read_by(s->dependents, other->instr);
        if (other->kind == GLOBAL_WRITE || loaded_set_is_empty(&by)) continue;
        if (is_behind_wait(s, other)) return true;
    }
    for (uint32_t b = 0; b < cfg->count; b++) {
        if (cfg->blocks[b].succ_count < 2 || cfg->blocks[b].end == cfg->blocks[b].first) continue;
        uint32_t branch = cfg->blocks[b].end - 1;
        struct loaded_set by = dependents_read_by(s->dependents, branch);
        if (loaded_set_is_empty(&by) || wait == NO_INSTR) continue;
        if (handover_reaches(s->lint, wait, branch)) return true;
    }
    return false;
}

/* A kernel that loads weights before the wait loads data. What decides where the kernel reads was
 * most likely computed by the grid before, as the data are that it leads to. A load with .nc says
 * that its memory is constant while the kernel runs. */
static bool report_index_ahead(struct search *s, const struct global_access *access)
{
    uint32_t wait = wait_behind(s, access->instr);
    if (access->kind == GLOBAL_WRITE || !is_index(s, access->instr, wait)) return false;
    report_ahead(s, access, wait != NO_INSTR ? wait : s->waits.at[0],
                 "this decides what is read after the griddepcontrol.wait at %s[: the grid "
                 "before may not have written it yet]");
    return true;
}

static bool is_reported(const struct search *s, uint32_t index)
{
    const struct global_access *access = &s->all.at[index];
    uint32_t block = s->lint->cfg->block_of[access->instr];
    for (uint32_t i = index; i-- > 0;) {
        const struct global_access *before = &s->all.at[i];
        lint_spend(s->lint, 1);
        if (s->lint->cfg->block_of[before->instr] != block) return false;
        if (s->ahead[i] && global_roots_same(&before->root, &access->root)) return true;
    }
    return false;
}

/* A thread that has executed griddepcontrol.wait may read global memory by the instruction, or the
 * effect of the instruction is unknown. */
static bool may_read_behind_wait(const struct search *s, uint32_t instr)
{
    const struct lint *lint = s->lint;
    const struct global_access *access = access_at(s, instr);
    enum effect effect = lint_effect(lint, instr);
    struct str base = instruction_base(lint->subject, instr);
    bool reads = access ? access->kind != GLOBAL_WRITE : effect == EFFECT_CALL;
    if (!access && effect == EFFECT_MEMORY)
        reads = str_is(base, "ld") && lint->function->instrs[instr].space == SPACE_ANY;
    reads |= access && str_is(base, "atom");
    if (!reads) return false;
    return (access && !s->ahead[access - s->all.at]) || may_be_behind_wait(s, instr);
}

/* The base of the address that an access to global memory uses; UINT32_MAX: not known. */
static uint32_t base_of_address(const struct lint *lint, uint32_t instr)
{
    uint32_t n = instruction_first_address(lint->subject, instr),
             count = lint->function->instrs[instr].operand_count;
    struct value address = n == count ? VALUE_NONE : global_address_of(lint, instr, n);
    return value_is_none(address) ? UINT32_MAX : address.base;
}

static void find_bases(struct search *s)
{
    if (s->bases) return;
    s->bases = arena_room(s->lint->arena, s->all.count, sizeof *s->bases);
    for (uint32_t i = 0; i < s->all.count; i++)
        s->bases[i] = base_of_address(s->lint, s->all.at[i].instr);
}

/* Addresses with these bases differ at most in one term, the pointer, and each thread has its own.
 */
static bool are_of_one_element(const struct lint *lint, uint32_t a, uint32_t b)
{
    uint32_t x[EXPR_TERMS_MAX], y[EXPR_TERMS_MAX], common = 0;
    const struct exprs *exprs = values_exprs(lint->subject);
    uint32_t x_count = a == UINT32_MAX ? 0 : exprs_terms(exprs, a, x),
             y_count = b == UINT32_MAX ? 0 : exprs_terms(exprs, b, y);
    bool own = false;
    lint_spend(lint, 1);
    for (uint32_t i = 0; i < x_count; i++)
        for (uint32_t k = 0; k < y_count; k++) {
            if (x[i] != y[k]) continue;
            common++;
            own |= !value_expr(lint->subject, (struct value){x[i], 0})->of_block;
        }
    return x_count == y_count && common + 1 >= x_count && own;
}

/* The thread reads an element at the place at which it writes one, such as a residual that it adds
 * to its result: this is not the data from which the result is computed. */
static bool reads_own_element(struct search *s, uint32_t instr)
{
    const struct global_access *access = access_at(s, instr), *all = s->all.at;
    if (!access || access->kind == GLOBAL_COPY) return false;
    find_bases(s);
    uint32_t count = s->all.count, at = (uint32_t)(access - all), other = s->bases[at];
    bool is_other = false; /* writes with the base `other` are to other elements */
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = at + k < count ? at + k : at + k - count; /* first those behind it */
        if (all[i].kind != GLOBAL_WRITE || (is_other && s->bases[i] == other)) continue;
        if (!handover_reaches(s->lint, instr, all[i].instr)) continue;
        if (are_of_one_element(s->lint, s->bases[at], s->bases[i])) return true;
        other = s->bases[i];
        is_other = true;
    }
    return false;
}

/* Reports a read without a wait if no thread reads anything after the wait, or only what belongs to
 * the elements that it writes: other data of the previous grid can then only be read without it. */
static void find_unused_wait(struct search *s)
{
    uint32_t reader = UINT32_MAX;
    bool own = false;
    lint_spend(s->lint, s->lint->function->count / 8);
    for (uint32_t n = 0; n < s->lint->subject->acting_count; n++) {
        uint32_t i = s->lint->subject->acting[n];
        if (!may_read_behind_wait(s, i)) continue;
        if (!reads_own_element(s, i)) return;
        own = true;
    }
    for (uint32_t i = s->all.count; i-- > 0;) {
        const struct global_access *access = &s->all.at[i];
        if (access->kind != GLOBAL_COPY && (own || access->kind != GLOBAL_LOAD)) continue;
        if (access->root.known && !is_prefetch(s, access->instr)) reader = i;
    }
    if (reader != UINT32_MAX)
        report_ahead(s, &s->all.at[reader], s->waits.at[0],
                     own ? "this reads[ global memory] with no griddepcontrol.wait; others wait at "
                           "%s[, and read only one element for each element that they write]"
                         : "this reads[ global memory] with no griddepcontrol.wait; others wait at "
                           "%s[, and read none after it]");
}

/* Two warps wait, each for itself. */
static bool each_waits(const struct search *s)
{
    for (uint32_t w = 1; w < s->waits.count; w++)
        if (condition_pairs_other_warp(s->lint->subject, s->waits.at[0], s->waits.at[w]))
            return true;
    return false;
}

/* A load without .nc reads what may change. Copies often fetch weights or tables, in a role of
 * their own that does not wait; only if other roles wait, each for itself, a copy by cp.async most
 * likely has to wait, too. */
static bool reads_results(const struct search *s, const struct global_access *access, bool each)
{
    if (access->kind == GLOBAL_LOAD) return true;
    return access->kind == GLOBAL_COPY && each &&
           !str_starts(instruction_opcode(s->lint->subject, access->instr), "cp.async.bulk");
}

/* The first read of the only role that reads without a wait; UINT32_MAX: none. */
static uint32_t find_odd_read(struct search *s)
{
    const struct lint *lint = s->lint;
    bool each = each_waits(s);
    uint32_t odd = UINT32_MAX;
    lint_spend(lint, s->all.count);
    for (uint32_t i = s->all.count; i-- > 0;) {
        const struct global_access *access = &s->all.at[i];
        if (!s->ahead[i] || is_prefetch(s, access->instr) || !reads_results(s, access, each))
            continue;
        if (may_be_behind_wait(s, access->instr)) continue;
        if (odd != UINT32_MAX &&
            condition_pairs_exclude(lint->subject, s->all.at[odd].instr, access->instr))
            return UINT32_MAX;
        odd = i;
    }
    return odd != UINT32_MAX && s->all.at[odd].root.known ? odd : UINT32_MAX;
}

/* Reports the first read of a role without a wait, if all other roles that read so wait: this one
 * has most likely been forgotten. */
static void find_odd_role(struct search *s)
{
    if (lint_has_any(s->lint, &lint_dependency_wait_missing)) return;
    if (find_odd_read(s) == UINT32_MAX) return;
    trace_learning(s);
    uint32_t odd = find_odd_read(s);
    if (odd != UINT32_MAX)
        report_ahead(s, &s->all.at[odd], s->waits.at[0],
                     "this reads[ global memory] with no griddepcontrol.wait; others wait at %s[: "
                     "all other threads that read so]");
}

static void find_ahead(struct search *s)
{
    struct walk_path path;
    s->to = NO_INSTR;
    (void)walk_from_entry(s->lint, 0, acquires | accesses, look_ahead, s, &path);
    if (path.gave_up) return;
    for (uint32_t i = 0; i < s->all.count; i++) {
        const struct global_access *access = &s->all.at[i];
        if (!s->ahead[i] || !access->root.known || is_reported(s, i)) continue;
        if (may_be_constant(s, access)) continue;
        const struct global_access *other = other_behind_wait(s, access);
        if (other) {
            report_ahead_of(s, access, other->instr);
            continue;
        }
        if (report_index_ahead(s, access)) continue;
        if (is_prefetch(s, access->instr) || !report_skipped(s, access))
            report_write_ahead(s, access);
    }
    find_unused_wait(s);
    find_odd_role(s);
}

/* ---- stores after launch_dependents ---- */

static bool is_work(const struct lint *lint, uint32_t instr)
{
    enum effect effect = lint_effect(lint, instr);
    return effect_is_async(effect) || effect == EFFECT_CALL || effect == EFFECT_ACQUIRE_BARRIER;
}

/* Looks for a store that follows the launch without any other work in between. If a kernel still
 * reads, multiplies or waits after the launch, its early launch is intended. */
static enum walk_does look_behind_launch(void *context, const struct lint *lint, uint32_t instr,
                                         unsigned *state)
{
    struct search *s = context;
    const struct global_access *access = access_at(s, instr);
    (void)state;
    if (access && access->kind == GLOBAL_WRITE && access->root.known) return WALK_FOUND;
    bool early = access || is_work(lint, instr) || is_dependency_wait(lint, instr);
    return early || instr == s->from ? WALK_END : WALK_ON;
}

/* Finds work after the launch: a read, an mma or a wait, also after the first store. */
static enum walk_does look_for_work(void *context, const struct lint *lint, uint32_t instr,
                                    unsigned *state)
{
    const struct search *s = context;
    const struct global_access *access = access_at(s, instr);
    (void)state;
    bool reads = access && access->kind != GLOBAL_WRITE;
    return reads || is_work(lint, instr) || instr == s->from ? WALK_FOUND : WALK_ON;
}

/* The launch is after reads of global memory, so it is not at the beginning of the kernel. */
static bool is_late(const struct search *s, uint32_t launch)
{
    for (uint32_t i = 0; i < s->all.count; i++)
        if (s->all.at[i].kind != GLOBAL_WRITE &&
            handover_reaches(s->lint, s->all.at[i].instr, launch))
            return true;
    return false;
}

/* The thread executes the launch before it accesses memory or waits again. */
static enum walk_does look_for_launch(void *context, const struct lint *lint, uint32_t instr,
                                      unsigned *state)
{
    const struct search *s = context;
    (void)lint, (void)state;
    return instr == s->to ? WALK_FOUND : WALK_END;
}

/* Only some threads of the block execute the launch, directly after a barrier of the block. So they
 * execute it for all threads, because these have reached the barrier. A launch by every thread says
 * nothing about the others: the next grid is meant to begin early, and has to wait for all of this
 * one. */
static bool speaks_for_block(struct search *s, uint32_t launch)
{
    const struct lint *lint = s->lint;
    const uint32_t work = acquires | accesses | WALK_ASYNC;
    struct condition_set by = conditions_of(lint->subject, launch);
    const struct handover_list *waits = handover_waits_before(lint, launch);
    struct walk_path path;
    bool some = false;
    for (uint32_t i = 0; i < by.count; i++)
        some |= !value_expr(lint->subject, (struct value){by.at[i].base, 0})->of_block;
    s->to = launch;
    for (uint32_t i = 0; some && i < waits->count; i++) {
        const struct handover *wait = &lint->handovers->at[waits->at[i]];
        lint_spend(lint, 1);
        if (wait->channel == CHANNEL_CTA &&
            walk_find(lint, wait->instr, 0, work, look_for_launch, s, &path))
            return true;
    }
    return false;
}

static void find_behind(struct search *s, uint32_t launch)
{
    const uint32_t work = acquires | accesses | WALK_ASYNC;
    struct walk_path path, more;
    s->from = launch;
    if (!is_late(s, launch) || !speaks_for_block(s, launch)) return;
    /* Work is mostly near. walk_find would first follow all paths to their ends. */
    if (walk_forward(s->lint, launch, 0, work, look_for_work, s, &more) || more.gave_up) return;
    if (!walk_find(s->lint, launch, 0, work, look_behind_launch, s, &path) || path.vague) return;
    lint_report(s->lint,
                (struct hazard){&lint_dependency_wait_missing, LINT_WARNING, path.found, launch,
                                "this writes results after %s, which lets the next grid begin[: a "
                                "grid that does not wait for all of this one reads the old values]",
                                "move the launch_dependents after the last store of the block, "
                                "with a barrier in between if other threads store",
                                path.instrs, path.count, NULL});
}

/* ---- the search ---- */

static void dependency_wait_missing_find(struct lint *lint)
{
    struct search s = {.lint = lint};
    if (!lint->function->is_entry) return;
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        if (is_dependency_wait(lint, i)) vec_push(&s.waits, i);
        if (is_launch(lint, i)) vec_push(&s.launches, i);
    }
    if (s.waits.count || s.launches.count) {
        s.all = global_accesses_find(lint);
        s.ahead = arena_alloc(lint->arena, s.all.count + 1, sizeof *s.ahead);
        s.place = arena_alloc(lint->arena, lint->function->count, sizeof *s.place);
        for (uint32_t i = s.all.count; i-- > 0;) s.place[s.all.at[i].instr] = i + 1;
    }
    if (s.waits.count) find_ahead(&s);
    for (uint32_t i = 0; i < s.launches.count; i++) find_behind(&s, s.launches.at[i]);
    if (s.dependents) dependents_free(s.dependents);
    vec_free(&s.all);
    vec_free(&s.waits);
    vec_free(&s.launches);
}

const struct lint_code lint_dependency_wait_missing = {
    .id = "dependency-wait-missing",
    .section = "9.7.13.13",
    .summary = "memory that the previous grid may write is accessed with no griddepcontrol.wait",
    .sentence = "`.wait` modifier causes the executing thread to wait until all prerequisite grids "
                "in flight have completed and all the memory operations from the prerequisite "
                "grids are performed and made visible to the current grid.",
    .risk = "the grid reads what the grid before it has not yet written, or overwrites what that "
            "grid still reads",
    .explanation =
        "Broken:  ld.global %r0, [%p]; griddepcontrol.wait; loop: ... ld.global %r0, "
        "[%p+16]\n"
        "Right:   griddepcontrol.wait; ld.global %r0, [%p]; loop: ... ld.global %r0, "
        "[%p+16]\n"
        "Broken:  bar.sync 0; @%one griddepcontrol.launch_dependents; st.global [%out], %r0\n"
        "Right:   st.global [%out], %r0; bar.sync 0; @%one griddepcontrol.launch_dependents\n"
        "\n"
        "Lint reports an access that a path reaches with no wait, if another access through "
        "the same pointer parameter or tensor map is after a wait on every path. Lint also "
        "reports a write before the wait of the same thread, if the thread has not waited at "
        "an mbarrier either, and a load without .nc whose value decides what the kernel "
        "reads after a wait, or a branch after the wait. If no thread reads global memory "
        "after any wait, lint reports the first access that reads it in threads that do not "
        "wait. If the threads that wait read only one element for each element that they "
        "write, such as a residual, lint reports the first copy in threads that do not wait. "
        "Also the first load without .nc of threads that do not wait, if all other threads "
        "that read so do. If a branch skips the only wait for some threads or blocks, lint "
        "reports the first access that they reach without the wait and that the others reach "
        "after it.\n"
        "Lint also reports a store after launch_dependents, if only some threads execute the "
        "launch, directly after a barrier of the block, as if all results were stored, and "
        "the thread has read its inputs before, and afterwards neither reads, nor issues an "
        "mma, nor waits.\n"
        "\n"
        "Not reported: other memory that is read before the wait and not accessed after it; "
        "memory that is only loaded with ld.global.nc; copies before a wait that the same "
        "thread executes later, which are often of weights, if other memory is read after it; "
        "prefetches; a thread that has "
        "waited at a barrier or an mbarrier for a thread that may have executed "
        "griddepcontrol.wait; another launch_dependents, since the next grid has to wait for "
        "all of this one; pointers loaded from memory.",
    .find = dependency_wait_missing_find,
};
