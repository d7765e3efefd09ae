/* Simulates the first thread of each warp and lists the places that its mma and cp may still read.
 * Only a wait that may be for their commit, or that another thread may signal, removes places from
 * the list. See stage_rounds.h. */
#include "lint/stage_rounds.h"

#include "lint/handover.h"
#include "lint/interpret.h"
#include "lint/smem_origin.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"
#include "value/lanes.h"
#include "value/smem.h"

enum { READS_MAX = 64 };

/* A place in shared memory: `at` bytes after a base that is the same for all threads of the CTA. */
struct stage_place {
    uint32_t base;
    int64_t at;
};

/* An mma or cp in flight reads the place. */
struct stage_read {
    struct stage_place place;
    uint32_t instr, number, guesses;
};

/* The last commit of the simulated thread to an mbarrier. */
struct committed {
    struct value barrier;
    uint32_t number; /* of operations issued before the commit */
};

/* Which operations of the waiting thread may be complete after a wait. NOTHING: none; ITS_COMMIT:
 * those that a commit to this mbarrier tracks; ANYTHING: any. */
enum told { NOT_ASKED, NOTHING, ITS_COMMIT, ANYTHING };

/* Copies that write shared memory, under the same conditions. */
struct refills {
    const struct condition_set *set; /* from condition_pairs.h: equal sets have the same address */
    struct VEC(uint32_t) instrs;
};

struct refill_sets VEC(struct refills);

struct stage_rounds {
    struct lint *lint;
    const struct lint_code *code;
    const struct smem_accesses *accesses;
    uint32_t *access_of; /* by instruction: 1 + the index of its first access in accesses; 0: it has
                            none */
    uint8_t *told;       /* by instruction: enum told; NOT_ASKED: not computed yet */
    bool *said;          /* by instruction: it was reported */
    struct stage_read reads[READS_MAX];
    uint32_t read_count, issued;
    struct VEC(struct committed) commits;
    uint32_t choices; /* interpret_choices at the previous instruction of interest */
};

/* ---- instructions ---- */

static bool reads_by_descriptor(const struct smem_access *access)
{
    return access->async && access->descriptor && !access->writes;
}

static bool is_refill(const struct smem_access *access)
{
    return access->async && access->writes && !access->word;
}

/* The instruction may order operations in a way that this analysis does not follow. */
static bool orders_somehow(const struct lint *lint, uint32_t instr)
{
    enum effect effect = lint_effect(lint, instr);
    struct str base = instruction_base(lint->subject, instr);
    if (effect == EFFECT_CALL || effect == EFFECT_ACQUIRE_MEMORY) return true;
    if (instruction_is_barrier(lint->subject, instr)) return true;
    if (effect != EFFECT_BOTH_MEMORY) return false;
    return !str_is(base, "fence") && !str_is(base, "elect") && !str_is(base, "shfl");
}

/* The operands that the simulation needs: the descriptors of an mma or cp, the address to which a
 * copy writes, the mbarrier of a wait or commit. */
static uint32_t is_of_stages(const struct lint *lint, uint32_t instr)
{
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    enum effect effect = lint_effect(lint, instr);
    if (effect == EFFECT_REGISTER) return 0;
    if (effect == EFFECT_ASYNC_MMA || effect == EFFECT_ASYNC_CP)
        return INTERPRET_MET | 1u << 1 | 1u << 2;
    if (use && use->kind == BARRIER_WAIT) return INTERPRET_MET | 1u << 1;
    if (use && (use->kind == BARRIER_COMMIT || use->kind == BARRIER_COPY))
        return INTERPRET_MET | 1u << 0;
    return !use && orders_somehow(lint, instr) ? INTERPRET_MET : 0;
}

/* ---- the effect of a wait ---- */

/* Only the thread that executes `first` can execute `second`. */
static bool is_of_this_thread(const struct lint *lint, uint32_t first, uint32_t second)
{
    const struct condition_set *set = condition_pairs_set(lint->subject, second);
    return lanes_count(lint->subject, &lint->handovers->shape, set).most == 1 &&
           !condition_pairs_exclude(lint->subject, first, second) &&
           !handover_other_thread(lint, first, second);
}

/* A signal of another thread may mean ANYTHING, because that thread may have waited for the commit.
 */
static enum told told_by_signal(const struct lint *lint, const struct handover *signal,
                                uint32_t wait)
{
    if (!signal->use || signal->use->remote || value_is_none(signal->use->object)) return ANYTHING;
    if (!is_of_this_thread(lint, wait, signal->instr)) return ANYTHING;
    return signal->use->kind == BARRIER_COMMIT ? ITS_COMMIT : NOTHING;
}

static enum told told_of(struct stage_rounds *r, uint32_t instr)
{
    const struct handovers *all = r->lint->handovers;
    const struct handover *wait = handover_at(r->lint, instr);
    enum told told = NOTHING;
    if (r->told[instr] != NOT_ASKED) return r->told[instr];
    if (!wait || !wait->waits || value_is_none(wait->use->object)) told = ANYTHING;
    lint_spend(r->lint, all->count);
    for (uint32_t i = 0; i < all->count && told != ANYTHING; i++) {
        const struct handover *signal = &all->at[i];
        if (!signal->signals || !handover_may_meet(r->lint, signal, wait)) continue;
        enum told by = told_by_signal(r->lint, signal, instr);
        if (by > told) told = by;
    }
    return r->told[instr] = (uint8_t)told;
}

static enum told told_at(struct stage_rounds *r, uint32_t instr)
{
    const struct barrier_use *use = barriers_at(r->lint->subject, instr);
    if (use) return use->kind == BARRIER_WAIT ? told_of(r, instr) : NOTHING;
    return orders_somehow(r->lint, instr) ? ANYTHING : NOTHING;
}

/* ---- one thread ---- */

static bool find_place(const struct stage_rounds *r, const struct interpreter *run,
                       const struct smem_access *access, struct stage_place *place)
{
    struct value v = interpret_operand(run, access->instr, access->operand);
    if (value_is_none(v) || !value_is_fixed(r->lint->subject, v)) return false;
    struct smem_origin o = smem_origin_of_value(r->lint->tracing, access->instr, v);
    if (!o.known || !o.base || o.moves || o.lanes || o.around) return false;
    if ((o.shift != 0) != access->descriptor) return false;
    if (access->descriptor && o.at > DESCRIPTOR_ADDRESS) o.at &= DESCRIPTOR_ADDRESS;
    *place = (struct stage_place){o.base, times_wrapped(o.at, 1 << o.shift)};
    return true;
}

static void forget_until(struct stage_rounds *r, uint32_t number)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->read_count; i++)
        if (r->reads[i].number >= number) r->reads[kept++] = r->reads[i];
    r->read_count = kept;
}

static void stage_rounds_note_read(struct stage_rounds *r, const struct interpreter *run,
                                   const struct smem_access *access)
{
    struct stage_place place;
    if (!find_place(r, run, access, &place)) return;
    if (r->read_count == READS_MAX) forget_until(r, r->reads[0].number + 1);
    if (r->read_count == READS_MAX) return;
    r->reads[r->read_count++] =
        (struct stage_read){place, access->instr, r->issued, interpret_guesses(run)};
}

static void stage_rounds_note_commit(struct stage_rounds *r, const struct interpreter *run,
                                     uint32_t instr)
{
    struct value barrier = interpret_operand(run, instr, 0);
    lint_spend(r->lint, r->commits.count);
    for (uint32_t i = 0; i < r->commits.count; i++) {
        if (!value_same(r->commits.at[i].barrier, barrier)) continue;
        r->commits.at[i].number = r->issued;
        return;
    }
    vec_push(&r->commits, ((struct committed){barrier, r->issued}));
}

/* An unknown mbarrier may be any mbarrier. */
static void stage_rounds_pass_wait(struct stage_rounds *r, const struct interpreter *run,
                                   uint32_t instr)
{
    struct value barrier = interpret_operand(run, instr, 1);
    lint_spend(r->lint, r->commits.count);
    for (uint32_t i = 0; i < r->commits.count; i++) {
        const struct committed *c = &r->commits.at[i];
        if (value_is_none(barrier) || value_is_none(c->barrier) || value_same(c->barrier, barrier))
            forget_until(r, c->number);
    }
}

static void stage_rounds_report(struct stage_rounds *r, uint32_t copy, uint32_t reader)
{
    r->said[copy] = true;
    lint_report(r->lint, (struct hazard){r->code, LINT_WARNING, copy, reader,
                                         "this refills the stage that %s may still read[: this "
                                         "thread has not waited for a commit after it]",
                                         "wait here for the mbarrier of the commit after %s", NULL,
                                         0, NULL});
}

static void compare_refill(struct stage_rounds *r, const struct interpreter *run,
                           const struct smem_access *access)
{
    struct stage_place to;
    if (!r->read_count || !find_place(r, run, access, &to)) return;
    lint_spend(r->lint, r->read_count);
    for (uint32_t i = 0; i < r->read_count; i++) {
        const struct stage_read *read = &r->reads[i];
        if (read->place.base != to.base || read->place.at != to.at) continue;
        if (read->guesses != interpret_guesses(run)) continue;
        r->read_count = 0; /* one report for each stage: its other copies are too early as well */
        if (!r->said[access->instr]) stage_rounds_report(r, access->instr, read->instr);
        return;
    }
}

/* The simulation has guessed a branch and may have skipped a wait. If it has guessed several, the
 * skipped instructions are unknown. */
static bool may_leave_out_wait(struct stage_rounds *r, const struct interpreter *run)
{
    const struct handovers *all = r->lint->handovers;
    if (interpret_choices(run) == r->choices) return false;
    if (interpret_choices(run) > r->choices + 1) return true;
    lint_spend(r->lint, all->count / 8 + 1);
    for (uint32_t i = 0; i < all->count; i++)
        if (all->at[i].waits && interpret_skipped(run, all->at[i].instr) &&
            told_at(r, all->at[i].instr) != NOTHING)
            return true;
    return false;
}

static void look_at_accesses_of(struct stage_rounds *r, const struct interpreter *run,
                                uint32_t instr)
{
    for (uint32_t i = r->access_of[instr]; i && i <= r->accesses->count; i++) {
        const struct smem_access *access = &r->accesses->at[i - 1];
        if (access->instr != instr) return;
        if (is_refill(access)) compare_refill(r, run, access);
        if (reads_by_descriptor(access)) stage_rounds_note_read(r, run, access);
    }
}

static bool look_at_stage(void *context, struct interpreter *run, uint32_t instr)
{
    struct stage_rounds *r = context;
    const struct barrier_use *use = barriers_at(r->lint->subject, instr);
    enum told told = told_at(r, instr);
    if (r->read_count && may_leave_out_wait(r, run)) r->read_count = 0;
    r->choices = interpret_choices(run);
    if (told == ANYTHING) r->read_count = 0;
    if (told == ITS_COMMIT) stage_rounds_pass_wait(r, run, instr);
    if (use && use->kind == BARRIER_COMMIT) stage_rounds_note_commit(r, run, instr);
    if (!interpret_certain(run)) return true;
    look_at_accesses_of(r, run, instr);
    r->issued += effect_is_pipe(lint_effect(r->lint, instr));
    return true;
}

/* ---- the function ---- */

static enum walk_does look_for_refill(void *context, const struct lint *lint, uint32_t instr,
                                      unsigned *state)
{
    struct stage_rounds *r = context;
    (void)lint;
    (void)state;
    for (uint32_t i = r->access_of[instr]; i && i <= r->accesses->count; i++) {
        if (r->accesses->at[i - 1].instr != instr) break;
        if (is_refill(&r->accesses->at[i - 1])) return WALK_FOUND;
    }
    return told_at(r, instr) == ANYTHING ? WALK_END : WALK_ON;
}

static void note_copy_to_stage(const struct stage_rounds *r, struct refill_sets *sets,
                               uint32_t instr)
{
    const struct condition_set *set = condition_pairs_set(r->lint->subject, instr);
    uint32_t n = 0;
    lint_spend(r->lint, sets->count / 8 + 1);
    while (n < sets->count && sets->at[n].set != set) n++;
    if (n == sets->count) vec_push(sets, (struct refills){.set = set});
    vec_push(&sets->at[n].instrs, instr);
}

/* A thread that executes the mma or cp may reach one of the copies. */
static bool may_refill(const struct stage_rounds *r, const struct refill_sets *sets,
                       uint32_t reader)
{
    for (uint32_t n = 0; n < sets->count; n++) {
        const struct refills *refills = &sets->at[n];
        lint_spend(r->lint, refills->instrs.count / 8 + 1);
        if (condition_pairs_exclude(r->lint->subject, reader, refills->instrs.at[0])) continue;
        for (uint32_t i = 0; i < refills->instrs.count; i++)
            if (handover_reaches(r->lint, reader, refills->instrs.at[i])) return true;
    }
    return false;
}

/* A thread may execute an mma or cp and then a copy, with no wait in between after which ANYTHING
 * may be complete. If not, the simulation is not needed. */
static bool one_does_both(struct stage_rounds *r)
{
    const uint32_t interest = 1u << EFFECT_RELEASE_MEMORY | 1u << EFFECT_ACQUIRE_BARRIER |
                              1u << EFFECT_BOTH_BARRIER | 1u << EFFECT_ACQUIRE_MEMORY |
                              1u << EFFECT_BOTH_MEMORY | 1u << EFFECT_CALL;
    const struct cfg *cfg = r->lint->cfg;
    struct walk_path path;
    struct refill_sets sets = {0};
    bool found = false;
    for (uint32_t i = 0; i < r->accesses->count; i++)
        if (is_refill(&r->accesses->at[i])) note_copy_to_stage(r, &sets, r->accesses->at[i].instr);
    for (uint32_t i = r->accesses->count, block = UINT32_MAX; !found && i-- > 0;) {
        const struct smem_access *access = &r->accesses->at[i];
        if (!reads_by_descriptor(access) || cfg->block_of[access->instr] == block) continue;
        block = cfg->block_of[access->instr];
        found = may_refill(r, &sets, access->instr) &&
                walk_find(r->lint, access->instr, 0, interest, look_for_refill, r, &path);
    }
    for (uint32_t n = 0; n < sets.count; n++) vec_free(&sets.at[n].instrs);
    vec_free(&sets);
    return found;
}

void stage_rounds_find(struct lint *lint, const struct lint_code *code)
{
    struct stage_rounds r = {.lint = lint, .code = code};
    uint32_t warps = lanes_warps_at_most(&lint->handovers->shape), n = lint->function->count;
    bool reads = lint_has_effect(lint, EFFECT_ASYNC_MMA) || lint_has_effect(lint, EFFECT_ASYNC_CP);
    if (!reads || !lint_has_effect(lint, EFFECT_RELEASE_MEMORY)) return;
    r.accesses = smem_accesses_find(lint->subject);
    r.access_of = arena_alloc(lint->arena, n + 1, sizeof *r.access_of);
    r.told = arena_alloc(lint->arena, n + 1, sizeof *r.told);
    for (uint32_t i = r.accesses->count; i-- > 0;) r.access_of[r.accesses->at[i].instr] = i + 1;
    if (one_does_both(&r)) {
        smem_origins_begin(lint);
        r.said = arena_alloc(lint->arena, n + 1, sizeof *r.said);
        struct interpreter *run = interpret_begin(lint, is_of_stages);
        for (uint32_t w = 0; w < warps; w++) {
            r.read_count = r.issued = r.commits.count = r.choices = 0;
            (void)interpret_thread(run, w * WARP, look_at_stage, &r);
        }
        interpret_end(run);
    }
    vec_free(&r.commits);
}
