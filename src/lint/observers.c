/* Finds the threads that continue after a release. See observers.h. */
#include "lint/observers.h"

#include "lint/arrays.h"
#include "lint/handover.h"
#include "lint/peer.h"
#include "lint/walk.h"
#include "value/barriers.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"
#include "value/tmem.h"

/* What the threads that wait for one release can reach afterwards. */
struct reached {
    bool asked, known; /* known: the waits for the release are known */
    /* the mbarrier of the release as an mbarrier of this CTA; NULL: not computed */
    struct barrier_use *own;
    bool anything; /* any operation may be reached: the walk met a call, an alloc or dealloc, or too
                      many paths */
    bool frees;    /* a dealloc is reached */
    struct VEC(uint32_t) accesses; /* the instructions that access tensor memory */
};

/* An instruction at which a thread waits. */
struct waiter {
    uint32_t instr;
    /* its use of an mbarrier; NULL: the waiter is a barrier with that number */
    const struct barrier_use *use;
    struct value number;
};

struct observers {
    struct lint *lint;
    struct reached **of;        /* by instruction: for the release at it; NULL: not asked yet */
    struct VEC(uint32_t) asked; /* the instructions with an entry in of */
    struct waiter *waiters;
    uint32_t waiter_count;
    struct reached *behind; /* by index in waiters; for releases that are not barriers of the CTA */
    uint32_t *awaited; /* by instruction: the number of the last walk that still awaits it; NULL: no
                          walk yet */
    uint32_t walk_count;
};

/* The way in which a release lets other threads continue. */
struct releaser {
    uint32_t instr;
    bool bar; /* a barrier with that number; otherwise an mbarrier (use), or a release without a
                 known waiter */
    struct value number;
    const struct barrier_use *use;
};

/* The state of the walk after one waiter. */
struct behind {
    struct observers *observers;
    uint32_t release;
    struct reached *reached;
    /* the waiter is the release itself, executed by other warps of the same role */
    bool same_place;
    uint32_t walk, awaited; /* the number of the walk, and of the instructions that it awaits */
};

static bool read_waiter(const struct lint *lint, uint32_t instr, struct waiter *waiter)
{
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    *waiter = (struct waiter){.instr = instr, .use = use};
    if (use) return use->kind == BARRIER_WAIT;
    if (release_of(lint, instr) != RELEASE_BARRIER) return false;
    waiter->number = value_of_operand(lint->subject, instr, 0);
    return true;
}

struct observers *observers_build(struct lint *lint)
{
    struct observers *observers = arena_alloc(lint->arena, 1, sizeof *observers);
    const struct function *function = lint->function;
    observers->lint = lint;
    observers->waiters =
        arena_alloc(lint->arena, function->notable_count, sizeof *observers->waiters);
    for (uint32_t i = 0; i < function->notable_count; i++)
        observers->waiter_count +=
            read_waiter(lint, function->notable[i], &observers->waiters[observers->waiter_count]);
    observers->behind =
        arena_alloc(lint->arena, observers->waiter_count, sizeof *observers->behind);
    observers->of = arena_alloc(lint->arena, lint->function->count, sizeof *observers->of);
    return observers;
}

void observers_free(struct observers *observers)
{
    for (uint32_t i = 0; i < observers->asked.count; i++)
        vec_free(&observers->of[observers->asked.at[i]]->accesses);
    vec_free(&observers->asked);
    for (uint32_t i = 0; i < observers->waiter_count; i++) vec_free(&observers->behind[i].accesses);
}

static struct reached *reached_of(struct observers *observers, uint32_t release)
{
    struct reached **reached = &observers->of[release];
    if (*reached) return *reached;
    *reached = arena_alloc(observers->lint->arena, 1, sizeof **reached);
    vec_push(&observers->asked, release);
    return *reached;
}

struct lint *observers_lint(const struct observers *observers)
{
    return observers->lint;
}

static bool same_barrier(const struct lint *lint, uint32_t a, uint32_t b)
{
    struct value number = value_of_operand(lint->subject, a, 0);
    return release_of(lint, b) == RELEASE_BARRIER &&
           value_same(number, value_of_operand(lint->subject, b, 0));
}

/* Two barriers with the same number synchronize with each other only if different warps execute
 * them. */
static bool release_meets(const struct lint *lint, const struct releaser *release,
                          const struct waiter *waiter)
{
    if (waiter->use || !value_same(release->number, waiter->number)) return false;
    if (release_of(lint, release->instr) != RELEASE_BARRIER || release->instr == waiter->instr)
        return true;
    return condition_pairs_other_warp(lint->subject, release->instr, waiter->instr);
}

static bool is_bar(const struct lint *lint, uint32_t release)
{
    return instruction_is_barrier(lint->subject, release) &&
           !instruction_has(lint->subject, release, ".cluster");
}

const struct barrier_use *observers_barrier(struct observers *observers, uint32_t release)
{
    struct lint *lint = observers->lint;
    const struct barrier_use *use = barriers_at(lint->subject, release);
    struct reached *reached = reached_of(observers, release);
    if (!use || !use->remote || reached->own) return reached->own ? reached->own : use;
    reached->own = arena_alloc(lint->arena, 1, sizeof *reached->own);
    if (!peer_as_own(lint, release, reached->own)) *reached->own = *use;
    return reached->own;
}

static struct releaser read_release(struct observers *observers, uint32_t instr)
{
    struct lint *lint = observers->lint;
    struct releaser release = {.instr = instr, .bar = is_bar(lint, instr)};
    if (release.bar) {
        release.number = value_of_operand(lint->subject, instr, 0);
        return release;
    }
    release.use = observers_barrier(observers, instr);
    return release;
}

static bool is_one(const struct lint *lint, const struct releaser *release,
                   const struct waiter *waiter, bool likely)
{
    if (release->bar) return !likely && release_meets(lint, release, waiter);
    if (!release->use || !waiter->use) return false;
    return likely ? arrays_likely_same(lint, release->use, waiter->use)
                  : barriers_same(release->use, waiter->use);
}

/* As observers_next; with likely, a use in a loop over an array of mbarriers also counts. */
static uint32_t next_of(const struct observers *observers, const struct releaser *release,
                        bool likely, uint32_t *next)
{
    while (*next < observers->waiter_count) {
        const struct waiter *waiter = &observers->waiters[(*next)++];
        lint_spend(observers->lint, 1);
        if (is_one(observers->lint, release, waiter, likely)) return waiter->instr;
    }
    return NO_INSTR;
}

uint32_t observers_next(struct observers *observers, uint32_t release, uint32_t *next)
{
    struct releaser by = read_release(observers, release);
    return next_of(observers, &by, false, next);
}

/* A barrier without a thread count joins all threads. */
static bool is_full_barrier(const struct lint *lint, uint32_t instr)
{
    return release_of(lint, instr) == RELEASE_BARRIER &&
           lint->function->instrs[instr].operand_count == 1;
}

static void add_reached_access(const struct lint *lint, struct reached *reached, uint32_t instr)
{
    lint_spend(lint, reached->accesses.count);
    for (uint32_t i = 0; i < reached->accesses.count; i++)
        if (reached->accesses.at[i] == instr) return;
    vec_push(&reached->accesses, instr);
}

/* The release is also for threads that do not execute it: fewer threads execute it than the barrier
 * before it. */
static bool stands_for_others(const struct lint *lint, uint32_t barrier, uint32_t release)
{
    enum release_kind kind = release_of(lint, release);
    if (kind == RELEASE_NONE || kind == RELEASE_BARRIER) return false;
    return condition_pairs_set(lint->subject, release)->count >
           condition_pairs_set(lint->subject, barrier)->count;
}

static const struct reached *find_out(struct observers *observers, uint32_t release);

static void add_all_reached(const struct lint *lint, struct reached *to, const struct reached *more)
{
    to->anything |= more->anything;
    to->frees |= more->frees;
    for (uint32_t i = 0; i < more->accesses.count; i++)
        add_reached_access(lint, to, more->accesses.at[i]);
}

/* Adds the accesses that are reached by the threads that wait for the other release. */
static void pass_on_reached(struct behind *behind, uint32_t release)
{
    const struct reached *more = find_out(behind->observers, release);
    behind->reached->anything |= !more->known;
    add_all_reached(behind->observers->lint, behind->reached, more);
}

/* The effects of the instructions that the walk looks for, and of those that end a path. */
enum { INTEREST = RELEASE_EFFECTS | WALK_ASYNC | 1 << EFFECT_ALLOC | 1 << EFFECT_CALL };

static void await_instr(struct behind *behind, uint32_t instr)
{
    struct observers *observers = behind->observers;
    if (observers->awaited[instr] == behind->walk) return;
    observers->awaited[instr] = behind->walk;
    behind->awaited++;
}

/* As look_for_accesses, but only awaits what that would come to. Finds nothing, so that only the
 * sketch of the walk is made, which comes at least to what the walk comes to. */
static enum walk_does look_to_await(void *context, const struct lint *lint, uint32_t instr,
                                    unsigned *state)
{
    struct behind *behind = context;
    enum effect e = lint_effect(lint, instr);
    bool ends = e == EFFECT_CALL || e == EFFECT_ALLOC;
    (void)state;
    if (ends || effect_is_async(e)) {
        await_instr(behind, instr);
        return ends ? WALK_END : WALK_ON;
    }
    if (release_of(lint, behind->release) != RELEASE_BARRIER)
        return is_full_barrier(lint, instr) ? WALK_END : WALK_ON;
    if (same_barrier(lint, behind->release, instr)) return WALK_END;
    if (stands_for_others(lint, behind->release, instr)) await_instr(behind, instr);
    return WALK_ON;
}

/* The walk has come to something that it looks for. It ends if nothing else is awaited. */
static enum walk_does meet_sought(struct behind *behind, uint32_t instr)
{
    struct observers *observers = behind->observers;
    if (observers->awaited[instr] == behind->walk) {
        observers->awaited[instr] = 0;
        behind->awaited--;
    }
    return behind->awaited ? WALK_ON : WALK_FOUND;
}

static enum walk_does look_for_accesses(void *context, const struct lint *lint, uint32_t instr,
                                        unsigned *state)
{
    struct behind *behind = context;
    enum effect e = lint_effect(lint, instr);
    (void)state;
    if (e == EFFECT_CALL || e == EFFECT_ALLOC) {
        behind->reached->anything = true;
        behind->reached->frees |= instruction_has(lint->subject, instr, ".dealloc");
        return WALK_FOUND;
    }
    if (effect_is_async(e)) {
        bool own_lanes = e == EFFECT_ASYNC_LD || e == EFFECT_ASYNC_ST;
        if (!behind->same_place || !own_lanes) add_reached_access(lint, behind->reached, instr);
        return meet_sought(behind, instr);
    }
    if (release_of(lint, behind->release) != RELEASE_BARRIER)
        return is_full_barrier(lint, instr) ? WALK_END : WALK_ON;
    if (same_barrier(lint, behind->release, instr)) return WALK_END;
    if (!stands_for_others(lint, behind->release, instr)) return WALK_ON;
    pass_on_reached(behind, instr);
    return meet_sought(behind, instr);
}

/* Adds to behind->reached the accesses that a thread reaches after its wait. */
static void follow_waiter(struct behind *behind, uint32_t wait)
{
    struct observers *observers = behind->observers;
    struct walk_path path;
    if (!observers->awaited)
        observers->awaited = arena_alloc(observers->lint->arena, observers->lint->function->count,
                                         sizeof *observers->awaited);
    behind->same_place = wait == behind->release;
    behind->walk = ++observers->walk_count;
    behind->awaited = 0;
    (void)walk_find(observers->lint, wait, 0, INTEREST, look_to_await, behind, &path);
    behind->reached->anything |= path.gave_up;
    if (!behind->awaited) return;
    (void)walk_forward(observers->lint, wait, 0, INTEREST, look_for_accesses, behind, &path);
    behind->reached->anything |= path.gave_up;
}

/* The accesses that a thread reaches after its wait, for a release that is not a barrier of the
 * CTA. The result does not depend on the release, so it is computed once for each waiter. */
static const struct reached *reached_behind(const struct behind *behind, uint32_t waiter)
{
    struct reached *reached = &behind->observers->behind[waiter];
    struct behind own = *behind;
    own.reached = reached;
    if (!reached->asked) follow_waiter(&own, behind->observers->waiters[waiter].instr);
    reached->asked = true;
    return reached;
}

static void find_reached_by(struct behind *behind, bool likely)
{
    const struct lint *lint = behind->observers->lint;
    struct releaser release = read_release(behind->observers, behind->release);
    bool meets = release_of(lint, behind->release) == RELEASE_BARRIER;
    uint32_t next = 0, other;
    while ((other = next_of(behind->observers, &release, likely, &next)) != NO_INSTR) {
        behind->reached->known = true;
        if (meets || other == behind->release)
            follow_waiter(behind, other);
        else
            add_all_reached(lint, behind->reached, reached_behind(behind, next - 1));
    }
}

static const struct reached *find_out(struct observers *observers, uint32_t release)
{
    struct reached *reached = reached_of(observers, release);
    struct behind behind = {.observers = observers, .release = release, .reached = reached};
    if (reached->asked) return reached;
    reached->asked = true;
    find_reached_by(&behind, false);
    if (!reached->known) find_reached_by(&behind, true);
    return reached;
}

/* Both may access the same cells of tensor memory, and at least one writes. */
static bool may_collide(const struct lint *lint, uint32_t access, uint32_t operation)
{
    const struct tensor_op *a = handover_op(lint, access), *b = handover_op(lint, operation);
    bool reads = lint_effect(lint, access) == EFFECT_ASYNC_LD;
    if (reads && lint_effect(lint, operation) == EFFECT_ASYNC_LD) return false;
    for (uint32_t i = 0; i < a->range_count; i++)
        for (uint32_t k = 0; k < b->range_count; k++)
            if (!tmem_apart(lint->subject, &a->ranges[i], &b->ranges[k])) return true;
    return !a->range_count || !b->range_count;
}

bool observers_matter(struct observers *observers, uint32_t release, uint32_t operation)
{
    const struct reached *reached = find_out(observers, release);
    if (!reached->known) return !is_bar(observers->lint, release);
    for (uint32_t i = 0; i < reached->accesses.count; i++)
        if (may_collide(observers->lint, reached->accesses.at[i], operation)) return true;
    return reached->anything;
}

bool observers_reuse(struct observers *observers, uint32_t release, uint32_t operation)
{
    const struct lint *lint = observers->lint;
    const struct reached *reached = find_out(observers, release);
    const struct tensor_op *op = handover_op(lint, operation);
    for (uint32_t i = 0; op && i < reached->accesses.count; i++)
        if (handover_likely_conflict(lint, handover_op(lint, reached->accesses.at[i]), op))
            return true;
    return false;
}

/* Both ranges are in one allocation and are not proven to differ, so they may be the same for some
 * number of the stage. */
static bool of_one_allocation(const struct lint *lint, const struct tmem_range *a,
                              const struct tmem_range *b)
{
    bool changes;
    struct value x = value_fixed_part(lint->subject, a->base, &changes);
    struct value y = value_fixed_part(lint->subject, b->base, &changes);
    return !value_is_none(x) && x.base && x.base == y.base && !tmem_apart(lint->subject, a, b);
}

static bool accesses_collide(const struct lint *lint, uint32_t access, uint32_t operation)
{
    const struct tensor_op *a = handover_op(lint, access), *b = handover_op(lint, operation);
    if (!may_collide(lint, access, operation)) return false;
    for (uint32_t i = 0; i < a->range_count; i++)
        for (uint32_t k = 0; k < b->range_count; k++)
            if (of_one_allocation(lint, &a->ranges[i], &b->ranges[k])) return true;
    return false;
}

bool observers_collide(struct observers *observers, uint32_t release, uint32_t operation)
{
    const struct reached *reached = find_out(observers, release);
    if (!reached->known || reached->frees) return true;
    for (uint32_t i = 0; i < reached->accesses.count; i++)
        if (accesses_collide(observers->lint, reached->accesses.at[i], operation)) return true;
    return false;
}

/* A walk from a waiter of the release that looks for anything but a dealloc. */
struct only_free {
    uint32_t release, operation;
};

static enum walk_does look_for_more_than_free(void *context, const struct lint *lint,
                                              uint32_t instr, unsigned *state)
{
    const struct only_free *only = context;
    enum effect e = lint_effect(lint, instr);
    (void)state;
    if (e == EFFECT_ALLOC && instruction_has(lint->subject, instr, ".dealloc")) return WALK_END;
    if (e == EFFECT_ALLOC || e == EFFECT_CALL) return WALK_FOUND;
    if (effect_is_async(e)) return may_collide(lint, instr, only->operation) ? WALK_FOUND : WALK_ON;
    return stands_for_others(lint, only->release, instr) ? WALK_FOUND : WALK_ON;
}

bool observers_only_free(struct observers *observers, uint32_t release, uint32_t operation)
{
    const struct lint *lint = observers->lint;
    struct releaser by = read_release(observers, release);
    struct only_free only = {release, operation};
    uint32_t next = 0, other;
    bool any = false;
    if (!find_out(observers, release)->frees) return false;
    while ((other = next_of(observers, &by, false, &next)) != NO_INSTR) {
        struct walk_path path;
        any = true;
        if (walk_find(lint, other, 0, INTEREST, look_for_more_than_free, &only, &path) ||
            path.gave_up)
            return false;
    }
    return any;
}
