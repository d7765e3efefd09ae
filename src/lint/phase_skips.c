/* Finds phases that begin again without a wait in the first rounds. See phase_skips.h. */
#include "lint/phase_skips.h"

#include "lint/handover.h"
#include "lint/interpret.h"
#include "value/lanes.h"

enum { WARPS_MAX = 32 };

/* The last arrival of the simulated thread at one mbarrier. */
struct last_arrival {
    const struct phase_skip *skip;
    struct value barrier;
    uint32_t waits, choices;
};

struct skipping {
    struct lint *lint;
    const struct lint_code *code;
    struct phase_skips *skips;
    struct VEC(struct last_arrival) last; /* of the simulated thread */
    bool said[PHASE_SKIPS_MAX];
};

static uint32_t operand_of_mbarrier(const struct barrier_use *use)
{
    return use->kind == BARRIER_COMMIT ? 0 : 1;
}

static uint32_t interest_in_phases(const struct lint *lint, uint32_t instr)
{
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    if (use && use->kind == BARRIER_WAIT) return INTERPRET_MET;
    if (!use || (use->kind != BARRIER_COMMIT && use->kind != BARRIER_ARRIVE_EXPECT)) return 0;
    return INTERPRET_MET | 1u << operand_of_mbarrier(use);
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
    s->said[skip - s->skips->at] = true;
    lint_report(s->lint,
                (struct hazard){s->code, LINT_WARNING, skip->armed->instr, skip->waiter,
                                "some round skips the wait which shows that %s has returned[ from "
                                "the last phase of this mbarrier]",
                                "skip the wait only in as many rounds as the ring has mbarriers",
                                NULL, 0, NULL});
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
        if (!waited && !s->said[skip - s->skips->at] && !has_jumped(s, run, last))
            report_skip(s, skip);
        *last = now;
        return;
    }
    vec_push(&s->last, now);
}

static bool look_at_phase(void *context, struct interpreter *run, uint32_t instr)
{
    struct skipping *s = context;
    const struct barrier_use *use = barriers_at(s->lint->subject, instr);
    for (uint32_t i = 0; i < s->skips->count; i++) {
        struct phase_skip *skip = &s->skips->at[i];
        skip->waits += skip->told[use - s->lint->subject->barriers->uses];
        if (skip->armed == use && interpret_certain(run)) note_arrival(s, run, skip);
    }
    return true;
}

void phase_skips_report(struct lint *lint, const struct lint_code *code, struct phase_skips *skips)
{
    struct skipping s = {.lint = lint, .code = code, .skips = skips};
    uint32_t warps = lint->handovers->shape.warps;
    if (!skips->count) return;
    if (!warps || warps > WARPS_MAX) warps = WARPS_MAX;
    struct interpreter *run = interpret_begin(lint, interest_in_phases);
    for (uint32_t w = 0; w < warps; w++) {
        s.last.count = 0;
        (void)interpret_thread(run, w * WARP, look_at_phase, &s);
    }
    interpret_end(run);
    vec_free(&s.last);
}
