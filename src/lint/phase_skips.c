/* Finds phases that begin again without a wait in the first rounds. See phase_skips.h. */
#include "lint/phase_skips.h"

#include "lint/handover.h"
#include "lint/interpret.h"
#include "value/instruction.h"
#include "value/lanes.h"

enum { WAIT_BARRIER = 1, WAIT_PARITY = 2 };

/* The last arrival of the simulated thread at one mbarrier. */
struct last_arrival {
    const struct phase_skip *skip;
    struct value barrier;
    uint32_t waits, choices;
};

/* A mbarrier for which the simulated thread has waited. */
struct waited_for {
    struct value barrier;
    bool began; /* not only for the phase before the first one, which has parity 1 */
};

struct skipping {
    struct lint *lint;
    const struct lint_code *code;
    struct phase_skips *skips;
    struct VEC(struct last_arrival) last; /* of the simulated thread */
    struct VEC(struct waited_for) waited; /* by the simulated thread */
    bool unknown;                         /* it has waited for an unknown mbarrier or phase */
    bool late;  /* some thread has begun a phase before its first wait that counts */
    bool exact; /* the parities of waits are simulated, too, which takes more steps */
    bool said[PHASE_SKIPS_MAX];
};

static uint32_t operand_of_mbarrier(const struct barrier_use *use)
{
    return use->kind == BARRIER_COMMIT ? 0 : 1;
}

static uint32_t interest_in_phases(const struct lint *lint, uint32_t instr, const void *context)
{
    (void)context;
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    if (use && use->kind == BARRIER_WAIT) return INTERPRET_MET;
    if (!use || (use->kind != BARRIER_COMMIT && use->kind != BARRIER_ARRIVE_EXPECT)) return 0;
    return INTERPRET_MET | 1u << operand_of_mbarrier(use);
}

static uint32_t interest_in_parities(const struct lint *lint, uint32_t instr, const void *context)
{
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    bool waits = use && use->kind == BARRIER_WAIT;
    return interest_in_phases(lint, instr, context) |
           (waits ? 1u << WAIT_BARRIER | 1u << WAIT_PARITY : 0);
}

/* The simulation has jumped over a wait that counts, by a branch whose condition it does not
 * know. */
static bool has_jumped(const struct skipping *s, const struct interpreter *run,
                       const struct last_arrival *last)
{
    const struct barriers *all = s->lint->subject->barriers;
    lint_spend(s->lint, all->count);
    for (uint32_t i = 0; i < all->count; i++)
        if (last->skip->told[i] && interpret_skipped_at(run, all->uses[i].instr) > last->choices)
            return true;
    return false;
}

static void report_skip(struct skipping *s, const struct phase_skip *skip)
{
    uint32_t armed = skip->armed->instr, passed = skip->passed;
    struct hazard none = {s->code,
                          LINT_WARNING,
                          armed,
                          skip->waiter,
                          "some round skips the wait which shows that %s has returned[ from the "
                          "last phase of this mbarrier]",
                          "skip the wait only in as many rounds as the ring has mbarriers",
                          NULL,
                          0,
                          NULL};
    struct hazard vain = {s->code,
                          LINT_WARNING,
                          passed,
                          armed,
                          "this returns at once, although %s has begun a phase[: the mbarrier is "
                          "new, and parity 1 is that of the phase before its first one]",
                          "wait for parity 0 first, since the rounds that need no wait skip it",
                          NULL,
                          0,
                          NULL};
    s->said[skip - s->skips->at] = true;
    lint_report(s->lint, passed == NO_INSTR ? none : vain);
}

static void note_arrival(struct skipping *s, struct interpreter *run, const struct phase_skip *skip)
{
    struct value barrier =
        interpret_operand(run, skip->armed->instr, operand_of_mbarrier(skip->armed));
    struct last_arrival now = {skip, barrier, skip->waits, interpret_choices(run)};
    if (value_is_none(barrier) || !value_is_fixed(s->lint->subject, barrier)) return;
    lint_spend(s->lint, s->last.count);
    for (uint32_t i = 0; i < s->last.count; i++) {
        struct last_arrival *last = &s->last.at[i];
        if (last->skip != skip || !value_same(last->barrier, barrier)) continue;
        bool waited = last->waits != skip->waits;
        bool asked = s->exact == (skip->passed != NO_INSTR) && !s->said[skip - s->skips->at];
        if (!waited && asked && !has_jumped(s, run, last)) report_skip(s, skip);
        *last = now;
        return;
    }
    vec_push(&s->last, now);
}

/* The mbarrier of the wait is new: the thread has only waited for the phase before its first. */
static bool returns_at_once(struct skipping *s, struct interpreter *run, uint32_t wait)
{
    struct value barrier = interpret_operand(run, wait, WAIT_BARRIER);
    struct value parity = interpret_operand(run, wait, WAIT_PARITY);
    bool known = !value_is_none(barrier) && value_is_fixed(s->lint->subject, barrier) &&
                 !value_is_none(parity) && value_is_constant(parity);
    s->unknown |= !known || !instruction_has(s->lint->subject, wait, ".parity");
    if (s->unknown) return false;
    lint_spend(s->lint, s->waited.count);
    uint32_t i = 0;
    while (i < s->waited.count && !value_same(s->waited.at[i].barrier, barrier)) i++;
    if (i == s->waited.count) vec_push(&s->waited, ((struct waited_for){barrier, false}));
    s->waited.at[i].began |= !(parity.offset & 1);
    return !s->waited.at[i].began;
}

/* The thread has begun a phase, and has not executed any wait that counts. */
static bool phase_skips_are_late(const struct skipping *s, const struct phase_skip *skip)
{
    lint_spend(s->lint, s->last.count);
    for (uint32_t i = 0; i < s->last.count && skip->waits == skip->before; i++)
        if (s->last.at[i].skip == skip) return true;
    return false;
}

static bool look_at_phase(void *context, struct interpreter *run, uint32_t instr)
{
    struct skipping *s = context;
    const struct barrier_use *use = barriers_at(s->lint->subject, instr);
    bool passes = s->exact && use->kind == BARRIER_WAIT && returns_at_once(s, run, instr);
    for (uint32_t i = 0; i < s->skips->count; i++) {
        struct phase_skip *skip = &s->skips->at[i];
        bool told = skip->told[use - s->lint->subject->barriers->uses];
        s->late |= told && phase_skips_are_late(s, skip);
        if (told && passes) skip->passed = instr;
        skip->waits += told && !passes;
        if (skip->armed != use || !interpret_certain(run)) continue;
        note_arrival(s, run, skip);
        skip->passed = NO_INSTR;
    }
    return true;
}

/* The warps that may begin one of the phases, as bits. */
static uint32_t warps_of_skips(const struct lint *lint, const struct phase_skips *skips)
{
    uint32_t warps = 0;
    for (uint32_t i = 0; i < skips->count; i++)
        warps |= lanes_warps_at(lint->subject, &lint->handovers->shape, skips->at[i].armed->instr);
    return warps;
}

static void follow_threads(struct skipping *s, interpret_interest *interest)
{
    uint32_t warps = lanes_warps_at_most(&s->lint->handovers->shape);
    uint32_t arming = warps_of_skips(s->lint, s->skips);
    struct interpreter *run = interpret_begin(s->lint, interest, NULL);
    for (uint32_t w = 0; w < warps; w++) {
        if (!(arming >> w & 1)) continue; /* it begins no phase */
        s->last.count = s->waited.count = 0;
        s->unknown = false;
        for (uint32_t i = 0; i < s->skips->count; i++)
            s->skips->at[i].before = s->skips->at[i].waits;
        (void)interpret_thread(run, w * WARP, look_at_phase, s);
    }
    interpret_end(run);
}

void phase_skips_report(struct lint *lint, const struct lint_code *code, struct phase_skips *skips)
{
    struct skipping s = {.lint = lint, .code = code, .skips = skips};
    if (!skips->count) return;
    follow_threads(&s, interest_in_phases);
    s.exact = true;
    if (s.late) follow_threads(&s, interest_in_parities);
    vec_free(&s.last);
    vec_free(&s.waited);
}
