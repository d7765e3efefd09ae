/* Finds waits of several roles that wait for each other. See wait_cycle.h. At first every wait for
 * a first phase stops its threads. A wait is released if a thread can reach a signal for it without
 * passing a wait that still stops threads. This is repeated until no wait is released. The
 * remaining waits wait for each other. Only the signals are searched for that a wait which may be
 * reported depends on. */
#include "lint/wait_cycle.h"

#include "lint/arrays.h"
#include "lint/walk.h"
#include "value/barriers.h"

/* Limit of the number of waits: each may need a walk through the kernel and is compared with all
 * signals. */
enum { WAITS_MAX = 64 };

struct cycle {
    struct lint *lint;
    uint32_t waits[WAITS_MAX], wait_count; /* those for a first phase, as uses of mbarriers */
    bool *stops;                           /* by use of an mbarrier: a wait that no thread passes */
    bool *reached;                         /* by use of an mbarrier: a thread can reach it */
    bool *matters; /* by use of an mbarrier: the wait may be reported, or is in front of a signal
                      for another that matters */
    uint32_t left; /* the number of stops that may be reported: those with an arrival_for */
    bool changed;  /* the walk has released a wait, or come to another one that matters */
    bool called;   /* a thread can reach a call */
};

/* The next use of an mbarrier behind the wait begins a copy. */
static bool precedes_copy(const struct barriers *all, const struct barrier_use *wait)
{
    const struct barrier_use *next = wait + 1;
    return next < all->uses + all->count &&
           (next->kind == BARRIER_ARRIVE_EXPECT || next->kind == BARRIER_EXPECT ||
            next->kind == BARRIER_COPY);
}

/* An arrive at the same mbarrier, or a commit if the wait precedes a copy; NO_INSTR: none. Such a
 * signal most likely frees a stage, and a wait for a free stage should pass in the first iteration.
 */
static uint32_t arrival_for(const struct lint *lint, const struct barrier_use *wait)
{
    const struct barriers *all = lint->subject->barriers;
    bool copies = precedes_copy(all, wait);
    for (uint32_t i = UINT32_MAX; (i = barriers_next_alike(lint->subject, wait, i)) < all->count;) {
        const struct barrier_use *use = &all->uses[i];
        bool frees = use->kind == BARRIER_ARRIVE || (copies && use->kind == BARRIER_COMMIT);
        if (frees && !arrays_likely_others(lint, use, wait)) return use->instr;
    }
    return NO_INSTR;
}

static bool may_signal(const struct barrier_use *use)
{
    return use->kind != BARRIER_INIT && use->kind != BARRIER_INVAL && use->kind != BARRIER_WAIT &&
           use->kind != BARRIER_EXPECT;
}

/* It is unknown who completes the first phase, or the function has no signal for the wait. */
static bool is_signalled_unseen(const struct cycle *cycle, const struct barrier_use *wait)
{
    const struct barriers *all = cycle->lint->subject->barriers;
    bool any = false;
    for (uint32_t i = UINT32_MAX;
         (i = barriers_next_alike(cycle->lint->subject, wait, i)) < all->count;) {
        const struct barrier_use *use = &all->uses[i];
        if (!may_signal(use) || arrays_likely_others(cycle->lint, use, wait)) continue;
        if (use->remote || value_is_none(use->object)) return true;
        any = true;
    }
    return !any;
}

static void release_wait(struct cycle *cycle, uint32_t wait)
{
    const struct barriers *all = cycle->lint->subject->barriers;
    cycle->stops[wait] = false;
    cycle->changed = true;
    cycle->left -= arrival_for(cycle->lint, &all->uses[wait]) != NO_INSTR;
}

/* Releases the waits that are for the signal, which a thread has reached. */
static void release_waits_for(struct cycle *cycle, const struct barrier_use *signal)
{
    const struct barriers *all = cycle->lint->subject->barriers;
    lint_spend(cycle->lint, cycle->wait_count / 8);
    for (uint32_t k = 0; k < cycle->wait_count; k++) {
        uint32_t i = cycle->waits[k];
        if (cycle->stops[i] && !arrays_likely_others(cycle->lint, signal, &all->uses[i]))
            release_wait(cycle, i);
    }
}

/* Notes the uses that a thread can reach, and releases the waits that they signal. */
static enum walk_does look_past_waits(void *context, const struct lint *lint, uint32_t instr,
                                      unsigned *state)
{
    struct cycle *cycle = context;
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    (void)state;
    cycle->called |= lint_effect(lint, instr) == EFFECT_CALL;
    if (cycle->called) return WALK_FOUND;
    if (!use) return WALK_ON;
    uint32_t number = (uint32_t)(use - lint->subject->barriers->uses);
    bool signals = !cycle->reached[number] && may_signal(use);
    cycle->reached[number] = true;
    if (signals) release_waits_for(cycle, use);
    if (!cycle->left) return WALK_FOUND;
    if (!cycle->stops[number]) return WALK_ON;
    cycle->changed |= !cycle->matters[number];
    cycle->matters[number] = true;
    return WALK_END;
}

/* The instruction is a call, or a signal, not reached yet, for a wait that matters and still stops
 * threads. */
static bool is_goal(const struct cycle *cycle, uint32_t instr)
{
    const struct subject *subject = cycle->lint->subject;
    const struct barriers *all = subject->barriers;
    const struct barrier_use *use = barriers_at(subject, instr);
    if (!use) return lint_effect(cycle->lint, instr) == EFFECT_CALL;
    if (cycle->reached[use - all->uses] || !may_signal(use)) return false;
    lint_spend(cycle->lint, cycle->wait_count / 8);
    for (uint32_t k = 0; k < cycle->wait_count; k++) {
        uint32_t i = cycle->waits[k];
        if (cycle->stops[i] && cycle->matters[i] &&
            !arrays_likely_others(cycle->lint, use, &all->uses[i]))
            return true;
    }
    return false;
}

/* Walks with the threads that may execute some goal. Goals that follow each other have mostly the
 * same threads. False if the result is unknown. */
static bool reach_goals(struct cycle *cycle, uint32_t interest)
{
    const struct lint *lint = cycle->lint;
    const struct condition_set *last = NULL;
    for (uint32_t n = 0; n < lint->subject->acting_count && cycle->left; n++) {
        uint32_t instr = lint->subject->acting[n];
        if (!is_goal(cycle, instr)) continue;
        const struct condition_set *threads =
            conditions_at(lint->subject, lint->cfg->block_of[instr]);
        struct walk_path path;
        if (last && conditions_same(last, threads)) continue;
        last = threads;
        (void)walk_under(lint, threads, 0, interest, look_past_waits, cycle, &path);
        if (cycle->called || path.gave_up) return false;
    }
    return true;
}

/* Releases waits until no more are released. False if the result is unknown. */
static bool release_all(struct cycle *cycle)
{
    const struct barriers *all = cycle->lint->subject->barriers;
    uint32_t interest = 1u << EFFECT_CALL;
    for (uint32_t i = 0; i < all->count; i++) {
        interest |= 1u << lint_effect(cycle->lint, all->uses[i].instr);
        if (cycle->stops[i] && is_signalled_unseen(cycle, &all->uses[i])) release_wait(cycle, i);
    }
    do {
        cycle->changed = false;
        if (!reach_goals(cycle, interest)) return false;
    } while (cycle->changed && cycle->left);
    return true;
}

void wait_cycle_report(struct lint *lint, const struct lint_code *code, const bool *first_phase)
{
    static const struct lint_words words = {
        "9.7.13.15.16",
        "An even phase has integer parity 0 and an odd phase has integer parity of 1."};
    const struct barriers *all = lint->subject->barriers;
    struct cycle cycle = {.lint = lint};
    uint32_t count = 0;
    cycle.stops = arena_alloc(lint->arena, all->count, sizeof *cycle.stops);
    cycle.reached = arena_alloc(lint->arena, all->count, sizeof *cycle.reached);
    cycle.matters = arena_alloc(lint->arena, all->count, sizeof *cycle.matters);
    for (uint32_t i = 0; i < all->count; i++) count += first_phase[i];
    if (!count || count > WAITS_MAX) return;
    for (uint32_t i = 0; i < all->count; i++) {
        if (first_phase[i]) cycle.waits[cycle.wait_count++] = i;
        cycle.stops[i] = first_phase[i];
        cycle.matters[i] = first_phase[i] && arrival_for(lint, &all->uses[i]) != NO_INSTR;
        cycle.left += cycle.matters[i];
    }
    if (!cycle.left || !release_all(&cycle)) return;
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t arrival = cycle.stops[i] ? arrival_for(lint, &all->uses[i]) : NO_INSTR;
        if (arrival == NO_INSTR) continue;
        lint_report(lint,
                    (struct hazard){code, LINT_WARNING, all->uses[i].instr, arrival,
                                    "this wait never ends: the threads that arrive for it wait for "
                                    "one another[, before %s and every other arrival]",
                                    "begin with parity 1, which lets the first round pass", NULL, 0,
                                    &words});
        return;
    }
}
