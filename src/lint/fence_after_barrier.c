/* Finds instructions after a barrier of the CTA that need a fence::after. See
 * fence_after_barrier.h. */
#include "lint/fence_after_barrier.h"

#include "base/intern.h"
#include "base/intervals.h"
#include "base/mem.h"
#include "base/sorted.h"
#include "base/vec.h"
#include "lint/handover.h"
#include "lint/op_neighbours.h"
#include "lint/path_condition.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"

/* The state of a path that begins at a tcgen05 instruction: in flight, in flight after a barrier of
 * the CTA, or complete. */
enum { PENDING, PENDING_AND_MET, COMPLETE };

/* A barrier of the CTA that the path reaches. */
struct next {
    const struct handover *barrier;
    bool complete; /* the instruction is complete there, or need not be */
};

/* A tcgen05 operation or an alloc, and the barriers that follow it. */
struct earlier {
    uint32_t instr;
    const struct tensor_op *op; /* NULL: an alloc */
    bool asked;
    struct earlier *alike; /* the last of those behind that are_followed_alike; or NULL */
    struct VEC(struct next) next;
};

struct earlier_list {
    struct earlier *at; /* in the order of the text */
    uint32_t count;
    uint32_t *allocs, alloc_count;     /* the indices of the allocs */
    uint32_t *of_op;                   /* by operation: its index */
    uint32_t *barriers, barrier_count; /* the barriers of the CTA, as instructions */
};

/* Barriers that follow earlier instructions. */
struct followers {
    uint32_t number;     /* a key of meeting->following */
    uint32_t instrs;     /* of so many of the conflicts they are known */
    struct item_list at; /* handovers: one of those with the same address and the same threads */
};

/* Indices in the list of earlier instructions. */
struct conflicts {
    const uint32_t *at;
    uint32_t count;
    bool known;                    /* at and count are computed */
    struct followers followers[2]; /* [1]: those at which the earlier instruction is complete */
};

/* The barrier whose following code is examined. */
struct meeting {
    const struct handover *barrier;
    struct earlier_list *list;
    const uint32_t *kinds;       /* by operation: those with the same number conflict alike */
    struct conflicts *conflicts; /* by that number: see conflicts_of */
    struct intern *following;    /* by number of followers: the instructions of all barriers */
    bool unfenced;               /* ignore all fence::after_thread_sync */
};

/* The tensor core executes such operations in the order of issue, if fences order the issue between
 * threads. */
static bool is_pipelined(const struct lint *lint, uint32_t instr)
{
    enum effect effect = lint_effect(lint, instr);
    return effect == EFFECT_ASYNC_MMA || effect == EFFECT_ASYNC_CP || effect == EFFECT_ASYNC_SHIFT;
}

static enum walk_does look_for_next(void *context, const struct lint *lint, uint32_t instr,
                                    unsigned *state)
{
    struct earlier *first = context;
    const struct handover *h = handover_at(lint, instr);
    enum effect effect = lint_effect(lint, instr);
    if (effect == EFFECT_CALL) return WALK_END;
    if (effect == EFFECT_ACQUIRE_BARRIER) *state = COMPLETE;
    if (*state == PENDING_AND_MET)
        return walk_bits_behind(lint, instr) & 1 << EFFECT_ACQUIRE_BARRIER ? WALK_ON : WALK_END;
    if (!h || h->channel != CHANNEL_CTA) return WALK_ON;
    vec_push(&first->next, (struct next){h, *state == COMPLETE});
    if (!h->waits) return WALK_ON;
    if (*state == COMPLETE) return WALK_END;
    *state = PENDING_AND_MET;
    return WALK_ON;
}

/* Two barriers with the same number synchronize with each other only if different warps execute
 * them. */
static bool meets_at_number(const struct lint *lint, const struct handover *signal,
                            const struct handover *barrier)
{
    lint_spend(lint, 1);
    if (signal == barrier) return true;
    if (!value_same(signal->address, barrier->address)) return false;
    return condition_pairs_other_warp(lint->subject, signal->instr, barrier->instr);
}

enum {
    MEETINGS_OF_CTA = 1 << EFFECT_BOTH_BARRIER | 1 << EFFECT_RELEASE_BARRIER,
    MEETINGS = MEETINGS_OF_CTA | 1 << EFFECT_ACQUIRE_BARRIER | 1 << EFFECT_CALL
};

/* The same barriers follow both instructions: the same threads execute both, and no instruction
 * between them is a barrier or changes a condition of the path. */
static bool are_followed_alike(const struct lint *lint, uint32_t a, uint32_t b)
{
    const struct instr *x = &lint->function->instrs[a], *y = &lint->function->instrs[b];
    if (lint->cfg->block_of[a] != lint->cfg->block_of[b]) return false;
    if (x->guard != y->guard || x->guard_negated != y->guard_negated) return false;
    if (is_pipelined(lint, a) != is_pipelined(lint, b)) return false;
    lint_spend(lint, (b - a) / 8);
    for (uint32_t i = a; i <= b; i++) {
        if (path_condition_changes(lint, i) || MEETINGS & walk_bits(lint, i)) return false;
        if (lint_effect(lint, i) == EFFECT_EXIT) return false;
    }
    return true;
}

/* Control may reach a barrier after the instruction that meets the barrier. */
static bool may_come_before(const struct lint *lint, uint32_t instr, const struct handover *barrier)
{
    const struct handovers *all = lint->handovers;
    uint32_t behind = handover_from(all, instr); /* mostly one of the next */
    for (uint32_t k = 0; k < all->count; k++) {
        uint32_t s = behind + k < all->count ? behind + k : behind + k - all->count;
        if (all->at[s].channel == CHANNEL_CTA && handover_reaches(lint, instr, all->at[s].instr) &&
            meets_at_number(lint, &all->at[s], barrier))
            return true;
    }
    return false;
}

/* Control may reach a barrier of the CTA after the instruction. */
static bool may_come_to_one(const struct lint *lint, const struct earlier_list *list,
                            uint32_t instr)
{
    uint32_t next = sorted_find(list->barriers, 0, list->barrier_count, instr);
    for (uint32_t k = 0; k < list->barrier_count; k++) {
        uint32_t i = next + k < list->barrier_count ? next + k : next + k - list->barrier_count;
        if (handover_reaches(lint, instr, list->barriers[i])) return true;
    }
    return false;
}

/* Finds the barriers that follow the instruction. */
static const struct earlier *ask_for_next(const struct lint *lint, const struct earlier_list *list,
                                          struct earlier *first)
{
    struct walk_path path;
    if (first->alike) first = first->alike;
    unsigned state = is_pipelined(lint, first->instr) ? PENDING : COMPLETE;
    if (!first->asked && walk_bits_behind(lint, first->instr) & MEETINGS_OF_CTA &&
        may_come_to_one(lint, list, first->instr))
        (void)walk_forward(lint, first->instr, state, MEETINGS, look_for_next, first, &path);
    first->asked = true;
    return first;
}

static void add_follower(const struct lint *lint, const struct meeting *meeting,
                         struct followers *followers, const struct handover *h)
{
    const struct handovers *all = lint->handovers;
    uint32_t known = meeting->following->count;
    struct str instr = {(const char *)&h->instr, sizeof h->instr};
    if (intern_add(meeting->following, followers->number, instr) < known) return;
    uint32_t set = condition_pairs_number(lint->subject, h->instr);
    lint_spend(lint, followers->at.count + 1);
    for (uint32_t i = 0; i < followers->at.count; i++) {
        const struct handover *other = &all->at[followers->at.at[i]];
        if (value_same(other->address, h->address) &&
            condition_pairs_number(lint->subject, other->instr) == set)
            return;
    }
    vec_push(&followers->at, (uint32_t)(h - all->at));
}

/* The meeting's barrier is one of the followers, or meets one of them. */
static bool meets_follower(const struct lint *lint, const struct meeting *meeting,
                           const struct followers *followers)
{
    const struct handover *barrier = meeting->barrier;
    struct str instr = {(const char *)&barrier->instr, sizeof barrier->instr};
    if (intern_find(meeting->following, followers->number, instr) != INTERN_NONE) return true;
    for (uint32_t i = 0; i < followers->at.count; i++)
        if (meets_at_number(lint, &lint->handovers->at[followers->at.at[i]], barrier)) return true;
    return false;
}

/* Other threads that reach the barrier have executed one of the conflicts since the last barrier.
 * complete: it must also be complete. What follows a conflict is found only if what follows those
 * before it is not enough. */
static bool some_comes_before(const struct lint *lint, const struct meeting *meeting,
                              struct conflicts *conflicts, bool complete)
{
    struct followers *followers = &conflicts->followers[complete];
    bool meets = meets_follower(lint, meeting, followers);
    while (!meets && followers->instrs < conflicts->count) {
        uint32_t known = meeting->following->count;
        const struct earlier *first = ask_for_next(
            lint, meeting->list, &meeting->list->at[conflicts->at[followers->instrs++]]);
        for (uint32_t i = 0; i < first->next.count; i++)
            if (first->next.at[i].complete || !complete)
                add_follower(lint, meeting, followers, first->next.at[i].barrier);
        meets = meeting->following->count > known && meets_follower(lint, meeting, followers);
    }
    return meets;
}

/* The operation runs in more warps than the dealloc, and a barrier follows it. */
static bool is_before_dealloc(const struct lint *lint, const struct earlier *first,
                              const struct handover *barrier, uint32_t dealloc)
{
    return first->op && handover_more_warps(lint, dealloc, first->instr) &&
           may_come_before(lint, first->instr, barrier);
}

/* The operation must be after `first`, which another thread executes. */
static bool must_follow(const struct lint *lint, const struct earlier *first,
                        const struct tensor_op *op)
{
    lint_spend(lint, 1);
    if (!first->op) return handover_more_warps(lint, first->instr, op->instr);
    return handover_conflict(lint, first->op, op) &&
           !handover_of_same_thread(lint, first->instr, op->instr);
}

/* The earlier instructions that the operation must follow. */
static struct conflicts *conflicts_of(const struct lint *lint, const struct meeting *meeting,
                                      const struct tensor_op *op)
{
    const struct earlier_list *list = meeting->list;
    uint32_t kind = meeting->kinds[op - lint->handovers->ops];
    struct conflicts *conflicts = &meeting->conflicts[kind];
    if (conflicts->known) return conflicts;
    struct item_list found = {0};
    struct op_list near = op_neighbours(lint, op);
    for (uint32_t i = 0; i < list->alloc_count; i++)
        if (must_follow(lint, &list->at[list->allocs[i]], op)) vec_push(&found, list->allocs[i]);
    for (uint32_t i = 0; i < near.count; i++)
        if (must_follow(lint, &list->at[list->of_op[near.at[i]]], op))
            vec_push(&found, list->of_op[near.at[i]]);
    items_sort(&found, 0);
    uint32_t *at = arena_room(lint->arena, found.count, sizeof *at);
    if (found.count) memcpy(at, found.at, found.count * sizeof *at);
    *conflicts =
        (struct conflicts){at, found.count, true, {{.number = 2 * kind}, {.number = 2 * kind + 1}}};
    vec_free(&found);
    return conflicts;
}

/* Another thread executes an instruction that this one must follow before the barrier. */
static bool has_earlier(const struct lint *lint, const struct meeting *meeting, uint32_t instr)
{
    const struct tensor_op *op = handover_op(lint, instr);
    if (op)
        return some_comes_before(lint, meeting, conflicts_of(lint, meeting, op),
                                 !is_pipelined(lint, instr));
    lint_spend(lint, meeting->list->count / 8 + 1);
    for (uint32_t i = 0; i < meeting->list->count; i++)
        if (is_before_dealloc(lint, &meeting->list->at[i], meeting->barrier, instr)) return true;
    return false;
}

enum {
    INTEREST = WALK_ASYNC | 1 << EFFECT_FENCE_AFTER | 1 << EFFECT_ACQUIRE_BARRIER |
               1 << EFFECT_ACQUIRE_MEMORY | 1 << EFFECT_BOTH_BARRIER | 1 << EFFECT_BOTH_MEMORY |
               1 << EFFECT_CALL | 1 << EFFECT_ALLOC
};

static enum walk_does look_behind_meeting(void *context, const struct lint *lint, uint32_t instr,
                                          unsigned *state)
{
    const struct meeting *meeting = context;
    enum effect effect = lint_effect(lint, instr);
    (void)state;
    if (effect_is_async(effect) || instruction_has(lint->subject, instr, ".dealloc"))
        return has_earlier(lint, meeting, instr) ? WALK_FOUND : WALK_ON;
    if (effect == EFFECT_BOTH_BARRIER) {
        return handover_with_other_warps(lint, instr) ? WALK_END : WALK_ON;
    }
    bool orders =
        effect == EFFECT_CALL || (effect == EFFECT_FENCE_AFTER && !meeting->unfenced) ||
        (effect == EFFECT_ACQUIRE_BARRIER && handover_wait_acquires(lint, instr)) ||
        (effect == EFFECT_BOTH_MEMORY && instruction_is_memory_fence(lint->subject, instr));
    return orders ? WALK_END : WALK_ON;
}

/* Numbers the operations: those with the same columns and the same conditions alike. */
static uint32_t *number_ops(const struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    struct intern kinds = {0};
    uint32_t *numbers = arena_room(lint->arena, all->op_count, sizeof *numbers);
    uint32_t *sets = mem_alloc((all->op_count + 1) * sizeof *sets);
    for (uint32_t i = 0; i < all->op_count; i++) {
        sets[i] = condition_pairs_number(lint->subject, all->ops[i].instr);
        numbers[i] = intern_add(&kinds, op_kind(lint, &all->ops[i]),
                                (struct str){(const char *)&sets[i], sizeof sets[i]});
    }
    intern_free(&kinds);
    mem_free(sets);
    return numbers;
}

/* The operation conflicts with a load or store of another thread that may come to the barrier after
 * it. Of a pipelined operation the barrier alone does not tell: a thread that has waited for it may
 * have executed the fence. */
static bool is_behind_move(const struct lint *lint, const struct handover *barrier, uint32_t instr)
{
    const struct handovers *all = lint->handovers;
    const struct tensor_op *op = handover_op(lint, instr);
    if (!op) return false;
    struct op_list near = op_neighbours(lint, op);
    for (uint32_t i = 0; i < near.count; i++) {
        const struct tensor_op *first = &all->ops[near.at[i]];
        if (!is_pipelined(lint, first->instr) && handover_conflict(lint, first, op) &&
            !handover_of_same_thread(lint, first->instr, instr) &&
            may_come_before(lint, first->instr, barrier))
            return true;
    }
    return false;
}

/* Raises the last finding, which is behind meeting->barrier, if the fence is behind at least
 * LIKE_PLACES other waits and barriers where it is needed: here it was most likely forgotten.
 * fenced: how many of these are waits. */
static void raise_odd_barrier(struct lint *lint, struct meeting *meeting, uint32_t fenced)
{
    enum { LIKE_PLACES = 2 };
    const struct handovers *all = lint->handovers;
    const struct handover *odd = meeting->barrier;
    struct hazard *hazard = &lint->hazards.at[lint->hazards.count - 1];
    if (!is_behind_move(lint, odd, hazard->at)) return;
    meeting->unfenced = true;
    for (uint32_t w = 0; w < all->count && fenced < LIKE_PLACES; w++) {
        struct walk_path path;
        meeting->barrier = &all->at[w];
        if (all->at[w].channel == CHANNEL_CTA && all->at[w].waits && meeting->barrier != odd)
            fenced +=
                walk_find(lint, all->at[w].instr, 0, INTEREST, look_behind_meeting, meeting, &path);
    }
    if (fenced < LIKE_PLACES) return;
    hazard->level = LINT_WARNING;
    hazard->says = "no [tcgen05.]fence::after_thread_sync is between the barrier at %s and this[: "
                   "another warp reaches the barrier after a tcgen05 instruction of its own, and "
                   "the waits and other barriers of this kernel have the fence]";
}

/* Searches from the last barrier to the first, because the report should name the nearest
 * barrier. */
static void find_behind_meetings(struct lint *lint, const struct lint_code *code,
                                 struct earlier_list *list, uint32_t fenced)
{
    const struct handovers *all = lint->handovers;
    struct intern following = {0};
    struct meeting meeting = {.list = list, .kinds = number_ops(lint), .following = &following};
    const struct handover *odd = NULL;
    uint32_t without = 0;
    meeting.conflicts = arena_alloc(lint->arena, all->op_count, sizeof *meeting.conflicts);
    for (uint32_t w = all->count; w-- > 0;) {
        struct walk_path path;
        meeting.barrier = &all->at[w];
        if (all->at[w].channel != CHANNEL_CTA || !all->at[w].waits) continue;
        if (!walk_find(lint, all->at[w].instr, 0, INTEREST, look_behind_meeting, &meeting, &path) ||
            lint_has_reported(lint, code, path.found))
            continue;
        lint_report(
            lint,
            (struct hazard){
                code, LINT_NOTE, path.found, all->at[w].instr,
                "no [tcgen05.]fence::after_thread_sync is between the barrier at %s and this[: "
                "another warp reaches the barrier after a tcgen05 instruction of its own]",
                "write tcgen05.fence::after_thread_sync after %s", path.instrs, path.count, NULL});
        without++;
        odd = meeting.barrier;
    }
    meeting.barrier = odd;
    if (without == 1 && fenced) raise_odd_barrier(lint, &meeting, fenced);
    for (uint32_t i = 0; i < all->op_count; i++)
        for (int k = 0; k < 2; k++) vec_free(&meeting.conflicts[i].followers[k].at);
    intern_free(&following);
}

static struct earlier_list find_earlier(const struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    uint32_t count = lint->function->notable_count;
    struct earlier_list list = {.at = arena_room(lint->arena, count, sizeof *list.at),
                                .allocs = arena_room(lint->arena, count, sizeof *list.allocs),
                                .of_op = arena_room(lint->arena, all->op_count, sizeof *list.of_op),
                                .barriers =
                                    arena_room(lint->arena, all->count, sizeof *list.barriers)};
    for (uint32_t i = 0; i < all->count; i++)
        if (all->at[i].channel == CHANNEL_CTA)
            list.barriers[list.barrier_count++] = all->at[i].instr;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t instr = lint->function->notable[i];
        const struct tensor_op *op = handover_op(lint, instr);
        bool allocates = lint_effect(lint, instr) == EFFECT_ALLOC &&
                         instruction_has(lint->subject, instr, ".alloc");
        if (!op && !allocates) continue;
        if (op)
            list.of_op[op - all->ops] = list.count;
        else
            list.allocs[list.alloc_count++] = list.count;
        list.at[list.count++] = (struct earlier){.instr = instr, .op = op};
    }
    for (uint32_t i = list.count; i-- > 1;) {
        struct earlier *next = &list.at[i];
        if (are_followed_alike(lint, list.at[i - 1].instr, next->instr))
            list.at[i - 1].alike = next->alike ? next->alike : next;
    }
    return list;
}

void fence_after_barrier_report(struct lint *lint, const struct lint_code *code, uint32_t fenced)
{
    struct earlier_list list = find_earlier(lint);
    find_behind_meetings(lint, code, &list, fenced);
    for (uint32_t i = 0; i < list.count; i++) vec_free(&list.at[i].next);
}
