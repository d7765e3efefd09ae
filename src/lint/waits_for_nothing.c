/* The code waits-for-nothing: a wait or commit that completes nothing, while something else is in
 * flight. */
#include "flow/rounds.h"
#include "lint/arrays.h"
#include "lint/handover.h"
#include "lint/parity_fixed.h"
#include "lint/path_condition.h"
#include "lint/readers.h"
#include "lint/wait_parity.h"
#include "lint/walk.h"
#include "value/barriers.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"

/* The kinds of operations, by the instruction that completes them. */
enum kind { KIND_LD, KIND_ST, KIND_PIPE, KINDS };

/* last: by kind, 1 + the last operation that may be in flight, or 0. issued: the thread may have
 * issued an mma, cp or shift at any time before, which a commit may track. */
struct flight {
    uint32_t last[KINDS];
    bool issued, unknown;
};

struct flights {
    struct lint *lint;
    struct flight *at; /* by block: at its beginning */
};

static void pass_flight(const struct lint *lint, uint32_t instr, struct flight *flight)
{
    enum effect e = lint_effect(lint, instr);
    bool always = lint->function->instrs[instr].guard == REG_NONE;
    if (e == EFFECT_ASYNC_LD) flight->last[KIND_LD] = instr + 1;
    if (e == EFFECT_ASYNC_ST) flight->last[KIND_ST] = instr + 1;
    if (effect_is_pipe(e)) flight->last[KIND_PIPE] = instr + 1, flight->issued = true;
    if (e == EFFECT_CALL) flight->unknown = true;
    if (!always) return;
    if (e == EFFECT_WAIT_LD) flight->last[KIND_LD] = 0;
    if (e == EFFECT_WAIT_ST) flight->last[KIND_ST] = 0;
    if (e == EFFECT_COMMIT) flight->last[KIND_PIPE] = 0;
}

static bool join_flights(struct flight *flight, const struct flight *more)
{
    struct flight before = *flight;
    for (int k = 0; k < KINDS; k++)
        if (more->last[k] > flight->last[k]) flight->last[k] = more->last[k];
    flight->issued |= more->issued;
    flight->unknown |= more->unknown;
    return memcmp(&before, flight, sizeof before) != 0;
}

/* Propagates to a fixed point, through the blocks that some thread can reach. */
static void solve_flights(struct flights *flights)
{
    const struct lint *lint = flights->lint;
    const struct cfg *cfg = lint->cfg;
    const struct path_stops *stops = path_condition_stops(lint);
    struct rounds rounds;
    uint32_t b;
    rounds_init(&rounds, cfg->count, false);
    for (b = 0; b < cfg->count; b++) rounds_want(&rounds, b);
    while (rounds_next(&rounds, &b)) {
        struct flight flight = flights->at[b];
        lint_spend(lint, cfg->blocks[b].end - cfg->blocks[b].first + 1);
        if (!conditions_reach(lint->subject, b)) continue;
        for (uint32_t n = stops->first[b]; n < stops->first[b + 1]; n++)
            pass_flight(lint, stops->at[n], &flight);
        for (uint32_t s = 0; s < cfg->blocks[b].succ_count; s++) {
            uint32_t succ = cfg->succs[cfg->blocks[b].first_succ + s];
            if (join_flights(&flights->at[succ], &flight)) rounds_want(&rounds, succ);
        }
    }
    rounds_free(&rounds);
}

/* ---- whether another operation is meant ---- */

struct other {
    uint32_t wait;
    enum effect completes; /* the effect that completes the other operation */
};

static enum walk_does look_for_own_wait(void *context, const struct lint *lint, uint32_t instr,
                                        unsigned *state)
{
    const struct other *other = context;
    enum effect e = lint_effect(lint, instr);
    (void)state;
    if (instr == other->wait) return WALK_FOUND;
    return e == other->completes ? WALK_END : WALK_ON;
}

static enum walk_does look_behind_own_wait(void *context, const struct lint *lint, uint32_t instr,
                                           unsigned *state)
{
    const struct other *other = context;
    enum effect e = lint_effect(lint, instr);
    (void)state;
    if (e == other->completes) return WALK_END;
    return e == EFFECT_WAIT_LD || e == EFFECT_WAIT_ST || effect_is_fence(e) ? WALK_ON : WALK_FOUND;
}

/* No call is before the wait. The operation is in flight at the wait, and after the wait something
 * else than its own completion follows. */
static bool is_meant(const struct lint *lint, uint32_t operation, struct other *other,
                     struct walk_path *path)
{
    struct walk_path behind;
    uint32_t waits = 1 << EFFECT_WAIT_LD | 1 << EFFECT_WAIT_ST | 1 << EFFECT_COMMIT;
    if (!walk_find(lint, operation, 0, waits, look_for_own_wait, other, path)) return false;
    uint32_t neutral = 1 << EFFECT_REGISTER | 1 << EFFECT_MEMORY;
    return walk_find(lint, other->wait, 0, ~neutral, look_behind_own_wait, other, &behind);
}

static void report_wait(struct lint *lint, uint32_t wait, uint32_t operation,
                        const struct walk_path *path)
{
    bool loads = lint_effect(lint, wait) == EFFECT_WAIT_LD;
    const char *says = loads ? "wait::ld does not complete %s[, which is in flight], and no "
                               "tcgen05.ld is in flight[ here on any path]"
                             : "wait::st does not complete %s[, which is in flight], and no "
                               "tcgen05.st is in flight[ here on any path]";
    bool moves = lint_effect(lint, operation) <= EFFECT_ASYNC_ST;
    const char *fix = !moves  ? "to wait for %s write tcgen05.commit and wait for its mbarrier"
                      : loads ? "write tcgen05.wait::st to wait for %s"
                              : "write tcgen05.wait::ld to wait for %s";
    lint_report(lint, (struct hazard){&lint_waits_for_nothing, LINT_WARNING, wait, operation, says,
                                      fix, path->instrs, path->count, NULL});
}

/* The block stores, waits for that, and waits once more with nothing of interest in between: the
 * second wait is left over, and was not meant for another operation. */
static bool is_second_wait(const struct lint *lint, uint32_t wait)
{
    enum effect kind = lint_effect(lint, wait);
    enum effect waited = kind == EFFECT_WAIT_LD ? EFFECT_ASYNC_LD : EFFECT_ASYNC_ST;
    bool seen = false;
    for (uint32_t i = wait; i-- > lint->cfg->blocks[lint->cfg->block_of[wait]].first;) {
        enum effect e = lint_effect(lint, i);
        if (seen && e == waited) return true;
        bool other = effect_is_async(e) || e == EFFECT_WAIT_LD || e == EFFECT_WAIT_ST;
        if (other && (seen || e != kind)) return false;
        seen |= other;
    }
    return false;
}

static void check_wait_in_flight(struct lint *lint, uint32_t wait, const struct flight *flight)
{
    static const enum effect completes[KINDS] = {EFFECT_WAIT_LD, EFFECT_WAIT_ST, EFFECT_COMMIT};
    enum kind own = lint_effect(lint, wait) == EFFECT_WAIT_LD ? KIND_LD : KIND_ST;
    if (flight->last[own] || flight->unknown || is_second_wait(lint, wait)) return;
    for (int k = 0; k < KINDS; k++) {
        struct other other = {wait, completes[k]};
        struct walk_path path;
        if (!flight->last[k] || !is_meant(lint, flight->last[k] - 1, &other, &path)) continue;
        report_wait(lint, wait, flight->last[k] - 1, &path);
        return;
    }
}

/* ---- commits ---- */

/* How the conditions choose a lane. */
enum choice { CHOICE_UNKNOWN, CHOICE_ELECTED, CHOICE_NUMBERED };

static enum choice choice_of_lane(const struct lint *lint, const struct condition_set *set)
{
    enum choice choice = CHOICE_UNKNOWN;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct expr *e = value_expr(lint->subject, (struct value){set->at[i].base, 0});
        if (set->at[i].holds && e->kind == EXPR_ELECTED) return CHOICE_ELECTED;
        if (set->at[i].holds && e->kind == EXPR_EQ && e->spread == SPREAD_LANES &&
            value_is_constant(e->a[1]))
            choice = CHOICE_NUMBERED;
    }
    return choice;
}

/* One lane issues and another lane commits: one is chosen by elect.sync, which may choose any lane,
 * the other by its number. */
static bool is_other_lane(const struct lint *lint, const struct condition_set *commit,
                          const struct condition_set *operation)
{
    if (!conditions_one_lane(lint->subject, commit) ||
        !conditions_one_lane(lint->subject, operation))
        return false;
    enum choice commits = choice_of_lane(lint, commit), issues = choice_of_lane(lint, operation);
    return commits && issues && commits != issues;
}

/* The commit might track the operation. */
static bool may_track(const struct lint *lint, uint32_t commit, uint32_t instr)
{
    lint_spend(lint, 1);
    return effect_is_pipe(lint_effect(lint, instr)) &&
           !condition_pairs_exclude(lint->subject, commit, instr);
}

/* The last operation, if every operation that the commit might track is issued by a lane that does
 * not commit; otherwise NO_INSTR. The operations before the commit come first, the nearest one at
 * the head: mostly it is issued by the lane that commits. */
static uint32_t operation_of_other_lane(const struct lint *lint, uint32_t commit)
{
    const struct handovers *all = lint->handovers;
    const struct condition_set *own = condition_pairs_set(lint->subject, commit);
    uint32_t found = NO_INSTR, before = 0;
    for (uint32_t high = all->op_count; before < high;) {
        uint32_t middle = before + (high - before) / 2;
        if (all->ops[middle].instr < commit)
            before = middle + 1;
        else
            high = middle;
    }
    for (uint32_t n = 0; n < all->op_count; n++) {
        uint32_t instr = all->ops[n < before ? before - 1 - n : n].instr;
        if (!may_track(lint, commit, instr)) continue;
        if (!is_other_lane(lint, own, condition_pairs_set(lint->subject, instr))) return NO_INSTR;
        if (found == NO_INSTR || instr > found) found = instr;
    }
    return found;
}

static void check_commit(struct lint *lint, uint32_t commit, const struct flight *flight)
{
    uint32_t operation = NO_INSTR;
    if (flight->unknown || !conditions_reach(lint->subject, lint->cfg->block_of[commit])) return;
    if (flight->issued) operation = operation_of_other_lane(lint, commit);
    if (flight->issued && operation == NO_INSTR) return;
    const char *says =
        operation == NO_INSTR
            ? "this commit arrives at once: its thread has issued no mma, cp or shift[ on any path "
              "to it]"
            : "the lane that commits has issued no operation[ to track]: another has issued %s";
    lint_report(lint, (struct hazard){&lint_waits_for_nothing, LINT_WARNING, commit, operation,
                                      says, "let the issuing thread commit", NULL, 0, NULL});
}

/* ---- waits for an mbarrier that are not repeated ---- */

static const struct lint_words once_words = {
    "9.7.13.15.16", "`mbarrier.test_wait` is a non-blocking instruction which tests for the "
                    "completion of the phase."};

/* Reports a wait whose result no instruction reads: it returns false if the phase is not complete,
 * or after a time limit. This may be a first try if another wait for the mbarrier follows. */
static void check_result(struct lint *lint, const struct barrier_use *wait)
{
    const struct barriers *all = lint->subject->barriers;
    uint32_t signal = NO_INSTR;
    if (wait->kind != BARRIER_WAIT || readers_have_result(lint, wait->instr)) return;
    for (uint32_t i = UINT32_MAX; (i = barriers_next_alike(lint->subject, wait, i)) < all->count;) {
        const struct barrier_use *use = &all->uses[i];
        bool waits = use->kind == BARRIER_WAIT && readers_have_result(lint, use->instr);
        if (waits && !arrays_likely_others(lint, use, wait)) return;
        bool signals =
            use->kind == BARRIER_COMMIT || use->kind == BARRIER_COPY || use->kind == BARRIER_ARRIVE;
        if (signals && barriers_same(use, wait)) signal = use->instr;
    }
    if (signal == NO_INSTR) return;
    lint_report(lint, (struct hazard){&lint_waits_for_nothing, LINT_WARNING, wait->instr, signal,
                                      "no instruction reads the result of this wait[: it may "
                                      "return before %s completes the phase]",
                                      "branch back to the wait until its result is true", NULL, 0,
                                      &once_words});
}

static void waits_for_nothing_find(struct lint *lint)
{
    const struct barriers *barriers = lint->subject->barriers;
    const struct path_stops *stops = path_condition_stops(lint);
    struct flights flights = {lint, NULL};
    if (!lint->function->is_entry) return;
    flights.at = arena_alloc(lint->arena, lint->cfg->count, sizeof *flights.at);
    solve_flights(&flights);
    for (uint32_t b = 0; b < lint->cfg->count; b++) {
        struct flight flight = flights.at[b];
        if (!conditions_reach(lint->subject, b)) continue;
        for (uint32_t n = stops->first[b]; n < stops->first[b + 1]; n++) {
            uint32_t i = stops->at[n];
            enum effect e = lint_effect(lint, i);
            if (e == EFFECT_WAIT_LD || e == EFFECT_WAIT_ST) check_wait_in_flight(lint, i, &flight);
            if (e == EFFECT_COMMIT) check_commit(lint, i, &flight);
            pass_flight(lint, i, &flight);
        }
    }
    for (uint32_t i = 0; i < barriers->count; i++) check_result(lint, &barriers->uses[i]);
    wait_parity_find(lint, &lint_waits_for_nothing);
    parity_fixed_find(lint, &lint_waits_for_nothing);
}

const struct lint_code lint_waits_for_nothing = {
    .id = "waits-for-nothing",
    .section = "9.7.16.6.2.1.2",
    .summary = "a wait or commit that does not complete what it was probably meant for",
    .sentence = "`tcgen05.wait::ld` and `tcgen05.wait::st` is used to track the completion of the "
                "`tcgen05.ld` and `tcgen05.st` asynchronous instructions.",
    .risk = "an operation that should be complete is still in flight",
    .explanation =
        "Broken:  tcgen05.ld; tcgen05.wait::st; mbarrier.arrive\n"
        "Right:   tcgen05.ld; tcgen05.wait::ld; mbarrier.arrive\n"
        "Broken:  tcgen05.cp; tcgen05.wait::st; mbarrier.arrive\n"
        "Right:   tcgen05.cp; tcgen05.commit [mbar]; a wait for mbar\n"
        "wait::ld completes loads, wait::st completes stores, and tcgen05.commit tracks the mma, "
        "cp and shift of the committing thread.\n"
        "Lint reports a wait if on no path an operation of its kind is in flight, but an "
        "operation of another kind is, and no wait or commit for that operation follows "
        "directly. Lint reports a commit of a thread that has issued nothing to track, or of "
        "another lane than the one that was elected to issue. Lint reports a wait for an "
        "mbarrier if no instruction reads the result of the wait, so that it may return too "
        "early, and a wait for an mbarrier with the parity of a phase that is over: the first "
        "wait for a copy or mma has parity 1, or an iteration of a loop has the parity of the "
        "iteration before, although one signal begins a phase in each round. Lint reports warps "
        "that block each other at the start: each waits for "
        "the first phase of an mbarrier, and all arrivals at that mbarrier come after the wait "
        "of another of these warps. Not reported: a wait with no operation in flight, which is "
        "only redundant (rule wait-idle); a wait or commit after a call or in a .func; a wait "
        "with parity 1 in front of a tcgen05.ld, if another wait, for a commit, is in front of "
        "that ld.",
    .find = waits_for_nothing_find,
};
