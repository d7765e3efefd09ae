/* Finds the threads that continue after a release. See observers.h. */
#include "lint/observers.h"

#include <stdlib.h>

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
    /* by instruction: for the release at it; NULL: not asked yet. NULL: see list_waiters */
    struct reached **of;
    struct VEC(uint32_t) asked; /* the instructions with an entry in of */
    struct waiter *waiters; /* sorted by compare_waiters: first the barriers, bar_count of them */
    uint32_t waiter_count, bar_count;
    uint32_t *otherwise; /* by index of a barrier: the first one behind it with another number, or
                            that is executed under other conditions */
    struct reached *behind; /* by index in waiters; for releases that are not barriers of the CTA */
    uint32_t *awaited; /* by instruction: the number of the last walk that still awaits it; NULL: no
                          walk yet */
    uint32_t walk_count;
};

/* The way in which a release lets other threads continue. */
struct releaser {
    uint32_t instr;
    bool bar; /* a barrier; otherwise an mbarrier (use), or a release without a known waiter */
    const struct barrier_use *use;
    uint32_t first, end; /* the waiters for the same mbarrier, or at the same barrier */
    uint32_t place;      /* of a barrier: the index of the first of these that is not before it */
};

/* The state of the walk after one waiter. */
struct behind {
    struct observers *observers;
    uint32_t release;
    struct reached *reached;
    /* the waiter is the release itself, executed by other warps of the same role */
    bool same_place;
    uint32_t warp; /* the release is a barrier of the CTA that only this warp executes (a bit); 0:
                      another release, or several warps */
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

static int compare_numbers(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

/* By what they wait for. Barriers come first. */
static int compare_awaited(const struct waiter *a, const struct waiter *b)
{
    if (!a->use != !b->use) return a->use ? 1 : -1;
    struct value x = a->use ? a->use->object : a->number, y = b->use ? b->use->object : b->number;
    if (x.base != y.base) return compare_numbers(x.base, y.base);
    if (x.offset != y.offset) return compare_numbers(x.offset, y.offset);
    return a->use ? a->use->indexed - b->use->indexed : 0;
}

/* By what they wait for, and then in the order of the text. */
static int compare_waiters(const void *a, const void *b)
{
    const struct waiter *x = a, *y = b;
    int awaited = compare_awaited(x, y);
    return awaited ? awaited : compare_numbers(x->instr, y->instr);
}

/* Returns the index of the first waiter that is not before that one in the sorted list. */
static uint32_t find_waiter(const struct observers *observers, const struct waiter *waiter)
{
    uint32_t low = 0, high = observers->waiter_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_waiters(&observers->waiters[middle], waiter) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void sort_waiters(struct observers *observers)
{
    const struct subject *subject = observers->lint->subject;
    struct waiter *waiters = observers->waiters;
    uint32_t count = observers->waiter_count;
    if (count) qsort(waiters, count, sizeof *waiters, compare_waiters);
    while (observers->bar_count < count && !waiters[observers->bar_count].use)
        observers->bar_count++;
    observers->otherwise =
        arena_alloc(observers->lint->arena, observers->bar_count, sizeof *observers->otherwise);
    for (uint32_t i = observers->bar_count; i-- > 0;) {
        bool alike = i + 1 < observers->bar_count &&
                     compare_awaited(&waiters[i], &waiters[i + 1]) == 0 &&
                     condition_pairs_number(subject, waiters[i].instr) ==
                         condition_pairs_number(subject, waiters[i + 1].instr);
        observers->otherwise[i] = alike ? observers->otherwise[i + 1] : i + 1;
    }
}

struct observers *observers_new(struct lint *lint)
{
    struct observers *observers = arena_alloc(lint->arena, 1, sizeof *observers);
    observers->lint = lint;
    return observers;
}

/* Lists what threads wait for, once a release is asked about. */
static void list_waiters(struct observers *observers)
{
    const struct lint *lint = observers->lint;
    const struct function *function = lint->function;
    if (observers->of) return;
    observers->waiters =
        arena_room(lint->arena, function->notable_count, sizeof *observers->waiters);
    for (uint32_t i = 0; i < function->notable_count; i++)
        observers->waiter_count +=
            read_waiter(lint, function->notable[i], &observers->waiters[observers->waiter_count]);
    sort_waiters(observers);
    observers->behind =
        arena_alloc(lint->arena, observers->waiter_count, sizeof *observers->behind);
    observers->of = arena_alloc(lint->arena, lint->function->count, sizeof *observers->of);
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
    list_waiters(observers);
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
    struct waiter same = {.instr = 0};
    list_waiters(observers);
    if (release.bar)
        same.number = value_of_operand(lint->subject, instr, 0);
    else
        same.use = release.use = observers_barrier(observers, instr);
    bool known = release.bar ? !value_is_none(same.number)
                             : release.use && !value_is_none(release.use->object);
    if (!known) return release;
    release.first = find_waiter(observers, &same);
    same.instr = instr;
    release.place = find_waiter(observers, &same);
    same.instr = NO_INSTR;
    release.end = find_waiter(observers, &same);
    return release;
}

/* Two barriers with the same number synchronize with each other only if different warps execute
 * them. */
static bool release_meets(const struct lint *lint, const struct releaser *release, uint32_t waiter)
{
    return release_of(lint, release->instr) != RELEASE_BARRIER || release->instr == waiter ||
           condition_pairs_other_warp(lint->subject, release->instr, waiter);
}

/* Returns the index of the next waiter at the same barrier that meets the release; NO_INSTR: there
 * are no more. *next counts from release->first. Barriers under equal conditions are asked about
 * once: either none of them meets the release, or it is one of them. */
static uint32_t next_bar(const struct observers *observers, const struct releaser *release,
                         uint32_t *next)
{
    while (release->first + *next < release->end) {
        uint32_t at = release->first + *next;
        lint_spend(observers->lint, 1);
        bool meets = release_meets(observers->lint, release, observers->waiters[at].instr);
        uint32_t to = meets ? at + 1 : observers->otherwise[at];
        if (at < release->place && release->place < to) to = release->place;
        *next = to - release->first;
        if (meets) return at;
    }
    return NO_INSTR;
}

/* The same for a waiter in a loop over the array that most likely contains the mbarrier. *next
 * counts from the first waiter for an mbarrier. */
static uint32_t next_likely(const struct observers *observers, const struct releaser *release,
                            uint32_t *next)
{
    while (observers->bar_count + *next < observers->waiter_count) {
        uint32_t at = observers->bar_count + (*next)++;
        lint_spend(observers->lint, 1);
        if (arrays_likely_same(observers->lint, release->use, observers->waiters[at].use))
            return at;
    }
    return NO_INSTR;
}

/* As observers_next, but returns the index of the waiter; with likely, a use in a loop over an
 * array of mbarriers also counts. */
static uint32_t next_of(const struct observers *observers, const struct releaser *release,
                        bool likely, uint32_t *next)
{
    if (release->bar) return likely ? NO_INSTR : next_bar(observers, release, next);
    if (likely) return release->use ? next_likely(observers, release, next) : NO_INSTR;
    return release->first + *next < release->end ? release->first + (*next)++ : NO_INSTR;
}

uint32_t observers_next(struct observers *observers, uint32_t release, uint32_t *next)
{
    struct releaser by = read_release(observers, release);
    uint32_t waiter = next_of(observers, &by, false, next);
    return waiter == NO_INSTR ? NO_INSTR : observers->waiters[waiter].instr;
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

/* The access is one of the warp that executes the release: the release publishes nothing to it. */
static bool is_of_own_warp(const struct behind *behind, uint32_t access)
{
    return behind->warp && handover_only_warp(behind->observers->lint, access) == behind->warp;
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
        if ((!behind->same_place || !own_lanes) && !is_of_own_warp(behind, instr))
            add_reached_access(lint, behind->reached, instr);
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
    uint32_t next = 0, waiter;
    while ((waiter = next_of(behind->observers, &release, likely, &next)) != NO_INSTR) {
        uint32_t other = behind->observers->waiters[waiter].instr;
        behind->reached->known = true;
        if (meets || other == behind->release)
            follow_waiter(behind, other);
        else
            add_all_reached(lint, behind->reached, reached_behind(behind, waiter));
    }
}

static const struct reached *find_out(struct observers *observers, uint32_t release)
{
    struct reached *reached = reached_of(observers, release);
    struct behind behind = {.observers = observers, .release = release, .reached = reached};
    if (reached->asked) return reached;
    reached->asked = true;
    if (is_bar(observers->lint, release))
        behind.warp = handover_only_warp(observers->lint, release);
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

bool observers_reach_dealloc(struct observers *observers, uint32_t release)
{
    return find_out(observers, release)->frees;
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
    struct only_free only = {release, operation};
    uint32_t next = 0, other;
    bool any = false;
    if (!find_out(observers, release)->frees) return false;
    while ((other = observers_next(observers, release, &next)) != NO_INSTR) {
        struct walk_path path;
        any = true;
        if (walk_find(lint, other, 0, INTEREST, look_for_more_than_free, &only, &path) ||
            path.gave_up)
            return false;
    }
    return any;
}
