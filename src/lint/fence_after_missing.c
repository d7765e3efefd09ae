/* The code fence-after-missing: a tcgen05 operation follows a wait for an operation of another
 * thread without a fence::after_thread_sync in between. After a wait that acquires, or a bar.sync,
 * the finding is a note, because many producers of code omit that fence. */
#include "base/intern.h"
#include "base/intervals.h"
#include "base/mem.h"
#include "lint/arrays.h"
#include "lint/handover.h"
#include "lint/op_neighbours.h"
#include "lint/otherwise.h"
#include "lint/pair_orders.h"
#include "lint/path_condition.h"
#include "lint/peer.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"

/* An answer for the wait with that number. */
struct answer {
    uint32_t asked;
    bool unordered;
};

/* One wait, and the instructions that signal it. */
struct asking {
    const struct handover *wait;
    bool acquires;
    bool unfenced; /* ignore all fence::after_thread_sync */
    bool likely; /* the mbarrier or the columns change in a ring: compare what is likely, not proven
                  */
    const struct handover **signals;
    uint32_t signal_count;
    const struct handover **remote; /* see find_remote_arrives */
    uint32_t remote_count;
    struct answer *answers;  /* by operation: of is_unordered, unless acquires */
    uint32_t asked;          /* the number of waits asked about so far */
    uint32_t next_op;        /* the first operation behind the wait */
    struct order_set orders; /* of all signals */
    uint32_t orders_of;      /* when it was set: asked */
};

static bool is_of_same_thread(const struct lint *lint, uint32_t a, uint32_t b)
{
    return !handover_other_thread(lint, a, b) && !handover_other_thread(lint, b, a);
}

/* An operation of another thread on the same columns is before a signal. */
static bool is_behind_signal(const struct asking *ask, const struct lint *lint, uint32_t instr)
{
    const struct handovers *all = lint->handovers;
    const struct tensor_op *x = handover_op(lint, instr);
    struct op_list near = op_neighbours(lint, x);
    for (uint32_t i = 0; i < near.count; i++) {
        const struct tensor_op *y = &all->ops[near.at[i]];
        if (!handover_conflict(lint, y, x) || is_of_same_thread(lint, y->instr, instr)) continue;
        for (uint32_t s = 0; s < ask->signal_count; s++)
            if (handover_reaches(lint, y->instr, ask->signals[s]->instr)) return true;
    }
    return false;
}

/* Sets orders, on the first call for a wait. */
static void find_orders(struct asking *ask, const struct lint *lint)
{
    if (ask->orders_of == ask->asked) return;
    ask->orders_of = ask->asked;
    order_set_begin(lint, &ask->orders, ask->wait->instr);
    for (uint32_t s = 0; s < ask->signal_count; s++)
        order_set_add(lint, &ask->orders, ask->signals[s], ask->likely);
}

/* As is_behind_signal, behind the wait, and no other wait that the wait can reach orders the two
 * operations. */
static bool is_unordered(struct asking *ask, const struct lint *lint, uint32_t op)
{
    const struct handovers *all = lint->handovers;
    const struct ordered_pairs pairs = pair_orders_before(lint, op, ask->likely);
    const uint32_t until = ask->wait->instr, instr = all->ops[op].instr;
    find_orders(ask, lint);
    if (!order_set_stops(lint, &ask->orders, &pairs) || !handover_reaches(lint, until, instr))
        return false;
    for (uint32_t s = 0; s < ask->signal_count; s++) {
        const struct handover *but = ask->signals[s];
        uint32_t i = pair_orders_next(lint, &pairs, 0, but, until, ask->likely);
        for (; i < pairs.count;
             i = pair_orders_next(lint, &pairs, i + 1, but, until, ask->likely)) {
            uint32_t first = all->ops[pairs.at[i].op].instr;
            if (handover_reaches(lint, first, but->instr) &&
                !otherwise_ordered_from(lint, first, instr, but, until, ask->likely,
                                        pairs.at[i].order))
                return true;
        }
    }
    return false;
}

/* instr: a wait for an mbarrier. */
static bool wait_acquires(const struct lint *lint, uint32_t instr)
{
    return !instruction_has(lint->subject, instr, ".relaxed");
}

/* The operation needs a fence between the wait and itself. */
static bool needs_fence(struct asking *ask, const struct lint *lint, uint32_t instr)
{
    if (ask->acquires) return is_behind_signal(ask, lint, instr);
    uint32_t op = (uint32_t)(handover_op(lint, instr) - lint->handovers->ops);
    struct answer *answer = &ask->answers[op];
    if (answer->asked != ask->asked)
        *answer = (struct answer){ask->asked, is_unordered(ask, lint, op)};
    return answer->unordered;
}

/* Signals by copies, and by arrive.expect_tx, do not concern tensor memory. */
static bool may_be_of_tensor_memory(const struct handover *signal)
{
    if (signal->channel != CHANNEL_MBARRIER) return true;
    return signal->use->kind == BARRIER_ARRIVE || signal->use->kind == BARRIER_COMMIT;
}

/* A wait that acquires may order the operations behind it with those of the threads that signal for
 * it. No such thread signals for operations on tensor memory if only copies do. */
static bool may_order(const struct lint *lint, uint32_t instr)
{
    const struct handover *wait = handover_at(lint, instr);
    if (!wait || !wait->use) return true;
    const struct handovers *all = lint->handovers;
    const struct handover_list *signals = handover_signals(lint, (uint32_t)(wait - all->at));
    lint_spend(lint, signals->count);
    for (uint32_t i = 0; i < signals->count; i++) {
        const struct handover *signal = &all->at[signals->at[i]];
        if (!may_be_of_tensor_memory(signal)) continue;
        if (!signal->use) return true;
        struct barrier_use own = peer_use_as_own(lint, signal->use);
        if (!arrays_likely_others(lint, &own, wait->use)) return true;
    }
    return false;
}

static enum walk_does look_behind_wait_for_op(void *context, const struct lint *lint,
                                              uint32_t instr, unsigned *state)
{
    struct asking *ask = context;
    enum effect effect = lint_effect(lint, instr);
    (void)state;
    if (effect_is_async(effect)) return needs_fence(ask, lint, instr) ? WALK_FOUND : WALK_ON;
    bool orders = effect == EFFECT_ACQUIRE_BARRIER && wait_acquires(lint, instr) &&
                  (ask->acquires || may_order(lint, instr));
    if (effect == EFFECT_BOTH_MEMORY) orders = instruction_is_memory_fence(lint->subject, instr);
    if (effect == EFFECT_BOTH_BARRIER)
        orders = ask->acquires || handover_with_other_warps(lint, instr);
    if (effect == EFFECT_CALL) orders = true;
    if (effect == EFFECT_FENCE_AFTER) orders = !ask->unfenced;
    return orders || instr == ask->wait->instr ? WALK_END : WALK_ON;
}

enum {
    INTEREST = WALK_ASYNC | 1 << EFFECT_FENCE_AFTER | 1 << EFFECT_ACQUIRE_BARRIER |
               1 << EFFECT_ACQUIRE_MEMORY | 1 << EFFECT_BOTH_BARRIER | 1 << EFFECT_BOTH_MEMORY |
               1 << EFFECT_CALL
};

/* Lists the arrives at mbarriers of other CTAs, as if these were in the own CTA: all CTAs run the
 * same code. */
static void find_remote_arrives(const struct lint *lint, struct asking *ask)
{
    const struct handovers *all = lint->handovers;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct handover *signal = &all->at[i];
        if (signal->channel != CHANNEL_MBARRIER || signal->use->kind != BARRIER_ARRIVE ||
            !signal->use->remote)
            continue;
        struct barrier_use *use = arena_alloc(lint->arena, 1, sizeof *use);
        struct handover *own = arena_alloc(lint->arena, 1, sizeof *own);
        *use = peer_use_as_own(lint, signal->use);
        *own = *signal;
        own->use = use;
        ask->remote[ask->remote_count++] = own;
    }
}

static void find_signals(const struct lint *lint, struct asking *ask)
{
    const struct handovers *all = lint->handovers;
    uint32_t of = (uint32_t)(ask->wait - all->at), s;
    ask->signal_count = 0;
    for (s = ask->likely ? handover_next_likely(lint, of, UINT32_MAX) : all->first_alike[of];
         s < all->count; s = ask->likely ? handover_next_likely(lint, of, s) : all->alike[s])
        if (may_be_of_tensor_memory(&all->at[s]) &&
            handover_is_for(lint, &all->at[s], ask->wait, ask->likely))
            ask->signals[ask->signal_count++] = &all->at[s];
    for (uint32_t i = 0; i < ask->remote_count && !ask->acquires; i++)
        if (handover_is_for(lint, ask->remote[i], ask->wait, ask->likely))
            ask->signals[ask->signal_count++] = ask->remote[i];
}

/* The wait is a load that is retried in a loop. */
static bool is_polled(const struct lint *lint, const struct handover *wait)
{
    return handover_reaches(lint, wait->instr, wait->instr) &&
           str_is(instruction_base(lint->subject, wait->instr), "ld");
}

static void fence_after_missing_report(struct lint *lint, const struct asking *ask,
                                       const struct walk_path *path)
{
    bool flag = ask->wait->channel == CHANNEL_FLAG;
    if (path->vague && !ask->acquires) return;
    const char *says = "no [tcgen05.]fence::after_thread_sync is between the wait at %s and this[: "
                       "the wait is for a tcgen05 operation of another thread]";
    if (!ask->acquires)
        says = flag ? "no [tcgen05.]fence::after_thread_sync is between the poll at %s and this[: "
                      "the flag signals a tcgen05 operation of another thread]"
                    : "no [tcgen05.]fence::after_thread_sync is between the [relaxed ]wait at %s "
                      "and this[: the wait is for a tcgen05 operation of another thread]";
    enum lint_level level = ask->acquires ? LINT_NOTE : ask->likely ? LINT_WARNING : LINT_ERROR;
    lint_report(lint, (struct hazard){&lint_fence_after_missing, level, path->found,
                                      ask->wait->instr, says,
                                      "write tcgen05.fence::after_thread_sync after the loop "
                                      "that repeats %s",
                                      path->instrs, path->count, NULL});
}

static enum walk_does look_for_any_op(void *context, const struct lint *lint, uint32_t instr,
                                      unsigned *state)
{
    bool async = effect_is_async(lint_effect(lint, instr));
    return async ? WALK_FOUND : look_behind_wait_for_op(context, lint, instr, state);
}

/* False if no operation without a fence needs one. First looks for any operation, because the fence
 * is mostly there; then asks about the next operations first. */
static bool may_find_unordered(const struct lint *lint, struct asking *ask)
{
    const struct handovers *all = lint->handovers;
    struct walk_path path;
    if (!walk_forward(lint, ask->wait->instr, 0, INTEREST, look_for_any_op, ask, &path) &&
        !path.gave_up)
        return false;
    uint32_t count = all->op_count;
    while (ask->next_op < count && all->ops[ask->next_op].instr < ask->wait->instr) ask->next_op++;
    const uint32_t first = ask->next_op;
    for (uint32_t i = 0; i < count; i++)
        if (needs_fence(ask, lint,
                        all->ops[first + i < count ? first + i : first + i - count].instr))
            return true;
    return false;
}

/* Examines the code after the wait; true if it has reported something. */
static bool ask_behind(struct lint *lint, struct asking *ask, bool likely)
{
    struct walk_path path;
    ask->likely = likely;
    find_signals(lint, ask);
    ask->asked++;
    if (!ask->signal_count || (!ask->acquires && !may_find_unordered(lint, ask))) return false;
    if (!walk_find(lint, ask->wait->instr, 0, INTEREST, look_behind_wait_for_op, ask, &path))
        return false;
    fence_after_missing_report(lint, ask, &path);
    return true;
}

/* A fence::after_thread_sync after the wait is needed: without it, an operation would be
 * reported. */
static bool is_fenced_behind(const struct lint *lint, struct asking *ask)
{
    struct walk_path path;
    ask->likely = false;
    ask->unfenced = true;
    find_signals(lint, ask);
    bool fenced = ask->signal_count && walk_find(lint, ask->wait->instr, 0, INTEREST,
                                                 look_behind_wait_for_op, ask, &path);
    ask->unfenced = false;
    return fenced;
}

/* The fence counts as usual in a kernel with at least this many waits that a fence follows. */
enum { LIKE_WAITS = 2 };

/* Counts the acquiring waits of a kernel. */
struct habit {
    uint32_t fenced, without; /* waits with and without a fence after them */
    uint32_t odd;             /* index in lint->hazards of the last finding without */
};

static void note_habit(const struct lint *lint, struct habit *habit, struct asking *ask,
                       bool missing)
{
    if (missing)
        habit->without++, habit->odd = lint->hazards.count - 1;
    else if (habit->without < 2 && habit->fenced < LIKE_WAITS) /* otherwise it no longer matters */
        habit->fenced += is_fenced_behind(lint, ask);
}

/* If all other waits have the fence, the only one without it was most likely forgotten. */
static void raise_odd_one(struct lint *lint, const struct habit *habit)
{
    if (habit->without != 1 || habit->fenced < LIKE_WAITS) return;
    struct hazard *odd = &lint->hazards.at[habit->odd];
    odd->level = LINT_WARNING;
    odd->says = "no [tcgen05.]fence::after_thread_sync is between the wait at %s and this[: the "
                "wait is for a tcgen05 operation of another thread, and the other waits of this "
                "kernel have the fence]";
}

static void find_behind_waits(struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    struct asking ask = {0};
    struct habit habit = {0};
    ask.signals = arena_alloc(lint->arena, 2 * all->count, sizeof(struct handover *));
    ask.remote = arena_alloc(lint->arena, all->count, sizeof(struct handover *));
    find_remote_arrives(lint, &ask);
    ask.orders = order_set_new(lint);
    ask.answers = arena_alloc(lint->arena, all->op_count, sizeof *ask.answers);
    for (uint32_t w = 0; w < all->count; w++) {
        ask.wait = &all->at[w];
        bool mbarrier = ask.wait->channel == CHANNEL_MBARRIER;
        bool flag = ask.wait->channel == CHANNEL_FLAG && is_polled(lint, ask.wait);
        if (!ask.wait->waits || !(mbarrier || flag)) continue;
        ask.acquires = mbarrier && wait_acquires(lint, ask.wait->instr);
        bool missing = ask_behind(lint, &ask, false);
        if (ask.acquires) note_habit(lint, &habit, &ask, missing);
        if (!missing && mbarrier && !ask.acquires) (void)ask_behind(lint, &ask, true);
    }
    raise_odd_one(lint, &habit);
}

/* ---- after a bar.sync ---- */

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
    uint32_t *allocs, alloc_count; /* the indices of the allocs */
    uint32_t *of_op;               /* by operation: its index */
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

/* Finds the barriers that follow the instruction. */
static const struct earlier *ask_for_next(const struct lint *lint, struct earlier *first)
{
    struct walk_path path;
    if (first->alike) first = first->alike;
    unsigned state = is_pipelined(lint, first->instr) ? PENDING : COMPLETE;
    if (!first->asked && walk_bits_behind(lint, first->instr) & MEETINGS_OF_CTA)
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
        const struct earlier *first =
            ask_for_next(lint, &meeting->list->at[conflicts->at[followers->instrs++]]);
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
           !is_of_same_thread(lint, first->instr, op->instr);
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
        effect == EFFECT_CALL || effect == EFFECT_FENCE_AFTER ||
        (effect == EFFECT_ACQUIRE_BARRIER && wait_acquires(lint, instr)) ||
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

/* Searches from the last barrier to the first, because the report should name the nearest
 * barrier. */
static void find_behind_meetings(struct lint *lint, struct earlier_list *list)
{
    const struct handovers *all = lint->handovers;
    struct intern following = {0};
    struct meeting meeting = {.list = list, .kinds = number_ops(lint), .following = &following};
    meeting.conflicts = arena_alloc(lint->arena, all->op_count, sizeof *meeting.conflicts);
    for (uint32_t w = all->count; w-- > 0;) {
        struct walk_path path;
        meeting.barrier = &all->at[w];
        if (all->at[w].channel != CHANNEL_CTA || !all->at[w].waits) continue;
        if (!walk_find(lint, all->at[w].instr, 0, INTEREST | 1 << EFFECT_ALLOC, look_behind_meeting,
                       &meeting, &path) ||
            lint_has_reported(lint, &lint_fence_after_missing, path.found))
            continue;
        lint_report(
            lint,
            (struct hazard){
                &lint_fence_after_missing, LINT_NOTE, path.found, all->at[w].instr,
                "no [tcgen05.]fence::after_thread_sync is between the barrier at %s and this[: "
                "another warp reaches the barrier after a tcgen05 instruction of its own]",
                "write tcgen05.fence::after_thread_sync after %s", path.instrs, path.count, NULL});
    }
    for (uint32_t i = 0; i < all->op_count; i++)
        for (int k = 0; k < 2; k++) vec_free(&meeting.conflicts[i].followers[k].at);
    intern_free(&following);
}

static struct earlier_list find_earlier(const struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    uint32_t count = lint->function->notable_count;
    struct earlier_list list = {.at = arena_alloc(lint->arena, count, sizeof *list.at),
                                .allocs = arena_room(lint->arena, count, sizeof *list.allocs),
                                .of_op =
                                    arena_room(lint->arena, all->op_count, sizeof *list.of_op)};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t instr = lint->function->notable[i];
        const struct tensor_op *op = handover_op(lint, instr);
        if (!op && !instruction_has(lint->subject, instr, ".alloc")) continue;
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

static void fence_after_missing_find(struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    bool conflicts = all->writer_count && handover_of_several_threads(lint);
    if (!all->op_count) return;
    if (conflicts) find_behind_waits(lint);
    if (!conflicts && !lint_has_effect(lint, EFFECT_ALLOC)) return;
    struct earlier_list list = find_earlier(lint);
    find_behind_meetings(lint, &list);
    for (uint32_t i = 0; i < list.count; i++) vec_free(&list.at[i].next);
}

const struct lint_code lint_fence_after_missing = {
    .id = "fence-after-missing",
    .section = "9.7.16.6.3",
    .summary =
        "no fence::after_thread_sync after a wait or barrier for another thread's tcgen05 work",
    .sentence = "An asynchronous `tcgen05` operation subsequent to a "
                "`tcgen05.fence::after_thread_sync` is ordered after all the prior `tcgen05` and "
                "the execution ordering operations.",
    .risk = "the instruction may be issued before what it waits for has happened",
    .explanation =
        "Broken:  mbarrier.try_wait.relaxed (loop); tcgen05.ld\n"
        "Right:   mbarrier.try_wait.relaxed (loop); tcgen05.fence::after_thread_sync; tcgen05.ld\n"
        "\n"
        "An error after a relaxed wait, or after any poll of a flag in memory: tcgen05 "
        "operations are asynchronous, and only the fence orders them after the poll. A note "
        "after an mbarrier wait that acquires: nvcc's, Triton's and CuTe's kernels omit the "
        "fence there, and ptxas keeps the order; a warning if two or more other such waits of "
        "the kernel have the fence and only this one does not. Also a note after a bar.sync; "
        "there alloc and dealloc count as operations, too.\n"
        "\n"
        "Reported if another thread signals that mbarrier, or stores to that flag, after its "
        "tcgen05 operation on columns that provably overlap, and one of the two operations "
        "writes. Not reported: waits for copies (expect_tx); operations with a fence.acq_rel, a "
        "barrier, or a wait for another signal in between, which may order the two operations. "
        "If a ring changes the mbarrier or the columns, so that the two operations are only "
        "known to be in one allocation, the finding is a warning after a relaxed mbarrier wait; "
        "after any other wait there is no finding then.",
    .find = fence_after_missing_find,
};
