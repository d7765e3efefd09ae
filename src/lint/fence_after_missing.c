/* The code fence-after-missing: a tcgen05 operation follows a wait for an operation of another
 * thread without a fence::after_thread_sync in between. After a wait that acquires, or a bar.sync,
 * the finding is a note, because many producers of code omit that fence. */
#include "lint/arrays.h"
#include "lint/fence_after_barrier.h"
#include "lint/handover.h"
#include "lint/op_neighbours.h"
#include "lint/otherwise.h"
#include "lint/pair_orders.h"
#include "lint/peer.h"
#include "lint/walk.h"
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

/* An operation of another thread on the same columns is before a signal. */
static bool is_behind_signal(const struct asking *ask, const struct lint *lint, uint32_t instr)
{
    const struct handovers *all = lint->handovers;
    const struct tensor_op *x = handover_op(lint, instr);
    struct op_list near = op_neighbours(lint, x);
    for (uint32_t i = 0; i < near.count; i++) {
        const struct tensor_op *y = &all->ops[near.at[i]];
        if (!handover_conflict(lint, y, x) || handover_of_same_thread(lint, y->instr, instr))
            continue;
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
    bool orders = effect == EFFECT_ACQUIRE_BARRIER && handover_wait_acquires(lint, instr) &&
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

static struct habit find_behind_waits(struct lint *lint)
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
        ask.acquires = mbarrier && handover_wait_acquires(lint, ask.wait->instr);
        bool missing = ask_behind(lint, &ask, false);
        if (ask.acquires) note_habit(lint, &habit, &ask, missing);
        if (!missing && mbarrier && !ask.acquires) (void)ask_behind(lint, &ask, true);
    }
    raise_odd_one(lint, &habit);
    return habit;
}

static void fence_after_missing_find(struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    bool conflicts = all->writer_count && handover_of_several_threads(lint);
    struct habit habit = {0};
    if (!all->op_count) return;
    if (conflicts) habit = find_behind_waits(lint);
    if (!conflicts && !lint_has_effect(lint, EFFECT_ALLOC)) return;
    fence_after_barrier_report(lint, &lint_fence_after_missing, habit.without ? 0 : habit.fenced);
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
        "there alloc and dealloc count as operations, too; a warning if only this barrier does not "
        "have the fence, and another warp executes a ld or st before it.\n"
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
