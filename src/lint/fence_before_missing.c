/* The code fence-before-missing: a relaxed arrive follows a tcgen05 operation without a
 * fence::before_thread_sync in between. Also any arrive without that fence on which a pipelined
 * pair of two threads depends. */
#include "lint/handover.h"
#include "lint/otherwise.h"
#include "lint/pair_orders.h"
#include "lint/path_condition.h"
#include "lint/peer.h"
#include "lint/releases.h"
#include "lint/walk.h"
#include "value/conditions.h"
#include "value/instruction.h"

enum { PENDING, COMPLETE };

struct asking {
    const struct handover *arrive; /* as if its mbarrier were in the own CTA: all CTAs run the same
                                      code */
    uint32_t number;               /* of the arrive in handovers->at */
    const struct tensor_op *op;
    const struct handover **waits; /* for the arrive */
    uint32_t wait_count;
    struct order_set orders; /* of the arrive */
    bool likely; /* the mbarrier or the columns change in a ring: compare what is likely, not proven
                  */
};

/* The instruction stores or reduces a constant with relaxed semantics, and no fence next to it
 * makes it a release. An atom is not a flag: it most likely takes a number from a counter. */
static bool is_relaxed_flag(const struct lint *lint, uint32_t instr)
{
    return release_of(lint, instr) == RELEASE_FLAG &&
           !instruction_has(lint->subject, instr, ".release") &&
           !instruction_has(lint->subject, instr, ".acq_rel") &&
           !str_is(instruction_base(lint->subject, instr), "atom");
}

static bool is_relaxed_arrive(const struct lint *lint, const struct handover *h)
{
    if (h->channel == CHANNEL_FLAG && h->signals) return is_relaxed_flag(lint, h->instr);
    return h->channel == CHANNEL_MBARRIER && h->use->kind == BARRIER_ARRIVE &&
           instruction_has(lint->subject, h->instr, ".relaxed");
}

/* The instruction waits for a commit that this thread issues after op. */
static bool is_wait_for_commit(const struct lint *lint, uint32_t op, uint32_t instr)
{
    const struct barriers *all = lint->subject->barriers;
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    if (!use) return false;
    for (uint32_t i = UINT32_MAX; (i = barriers_next_alike(lint->subject, use, i)) < all->count;) {
        const struct barrier_use *commit = &all->uses[i];
        lint_spend(lint, 1);
        if (commit->kind == BARRIER_COMMIT && barriers_same(commit, use) &&
            handover_reaches(lint, op, commit->instr))
            return true;
    }
    return false;
}

static bool completes_before_arrive(const struct lint *lint, uint32_t op, uint32_t instr)
{
    enum effect effect = lint_effect(lint, instr);
    switch (lint_effect(lint, op)) {
    case EFFECT_ASYNC_LD: return effect == EFFECT_WAIT_LD;
    case EFFECT_ASYNC_ST: return effect == EFFECT_WAIT_ST;
    default: return effect == EFFECT_ACQUIRE_BARRIER && is_wait_for_commit(lint, op, instr);
    }
}

static enum walk_does look_for_arrive(void *context, const struct lint *lint, uint32_t instr,
                                      unsigned *state)
{
    const struct asking *ask = context;
    enum effect effect = lint_effect(lint, instr);
    if (instr == ask->arrive->instr) return *state == COMPLETE ? WALK_FOUND : WALK_END;
    if (instr == ask->op->instr) return WALK_END; /* its own walk covers the rest */
    if (completes_before_arrive(lint, ask->op->instr, instr)) *state = COMPLETE;
    bool orders =
        effect == EFFECT_FENCE_BEFORE || effect == EFFECT_CALL ||
        (effect == EFFECT_BOTH_BARRIER && handover_with_other_warps(lint, instr)) ||
        (effect == EFFECT_BOTH_MEMORY && instruction_is_memory_fence(lint->subject, instr));
    return orders ? WALK_END : WALK_ON;
}

enum {
    INTEREST = WALK_ASYNC | 1 << EFFECT_RELEASE_MEMORY | 1 << EFFECT_WAIT_LD | 1 << EFFECT_WAIT_ST |
               1 << EFFECT_FENCE_BEFORE | 1 << EFFECT_RELEASE_BARRIER |
               1 << EFFECT_ACQUIRE_BARRIER | 1 << EFFECT_BOTH_BARRIER | 1 << EFFECT_BOTH_MEMORY |
               1 << EFFECT_CALL
};

/* After some wait for the arrive another thread reaches the second operation of the pair, and
 * nothing else orders the two. */
static bool is_after_arrive(const struct lint *lint, const struct asking *ask,
                            const struct ordered_pair *pair)
{
    const struct tensor_op *x = &lint->handovers->ops[pair->op];
    bool reached = false;
    for (uint32_t w = 0; w < ask->wait_count && !reached; w++)
        reached = handover_reaches(lint, ask->waits[w]->instr, x->instr);
    return reached && !otherwise_ordered_from(lint, ask->op->instr, x->instr, ask->arrive, x->instr,
                                              ask->likely, pair->order);
}

/* is_after_arrive is true for some pair of the operation. */
static bool is_arrive_handed_over(const struct lint *lint, const struct asking *ask)
{
    const struct handovers *all = lint->handovers;
    struct ordered_pairs pairs =
        pair_orders_behind(lint, (uint32_t)(ask->op - all->ops), ask->likely);
    uint32_t i = pair_orders_next(lint, &pairs, 0, ask->arrive, NO_INSTR, ask->likely);
    for (; i < pairs.count;
         i = pair_orders_next(lint, &pairs, i + 1, ask->arrive, NO_INSTR, ask->likely))
        if (is_after_arrive(lint, ask, &pairs.at[i])) return true;
    return false;
}

static bool report_at(struct lint *lint, struct asking *ask)
{
    bool flag = ask->arrive->channel == CHANNEL_FLAG;
    struct walk_path path;
    uint32_t op = (uint32_t)(ask->op - lint->handovers->ops);
    if (!ask->op->range_count || !order_set_may_stop_behind(lint, &ask->orders, op, ask->likely) ||
        !handover_reaches(lint, ask->op->instr, ask->arrive->instr))
        return false;
    if (!is_arrive_handed_over(lint, ask)) return false;
    if (!walk_find(lint, ask->op->instr, PENDING, INTEREST, look_for_arrive, ask, &path))
        return false;
    if (path.vague) return false;
    lint_report(lint,
                (struct hazard){&lint_fence_before_missing,
                                flag || ask->likely ? LINT_WARNING : LINT_ERROR, ask->arrive->instr,
                                ask->op->instr,
                                flag ? "no [tcgen05.]fence::before_thread_sync is between %s and "
                                       "this flag[ store, which signals the operation]"
                                     : "no [tcgen05.]fence::before_thread_sync is between %s and "
                                       "this relaxed arrive[, which signals the operation]",
                                "write tcgen05.fence::before_thread_sync before the arrive",
                                path.instrs, path.count, NULL});
    return true;
}

/* Returns the index in handovers->at of the next handover after `before` that may meet the arrive.
 * The mbarrier of a remote arrive is at another address than the one that its waits use. */
static uint32_t next_alike(const struct lint *lint, const struct asking *ask, uint32_t before)
{
    const struct handovers *all = lint->handovers;
    if (!ask->likely)
        return before == UINT32_MAX ? all->first_alike[ask->number] : all->alike[before];
    bool remote = all->at[ask->number].use->remote;
    return remote ? before + 1 : handover_next_likely(lint, ask->number, before);
}

/* Lists the waits for the arrive. */
static void find_waits(const struct lint *lint, struct asking *ask)
{
    const struct handovers *all = lint->handovers;
    ask->wait_count = 0;
    for (uint32_t w = next_alike(lint, ask, UINT32_MAX); w < all->count;
         w = next_alike(lint, ask, w))
        if (handover_is_for(lint, ask->arrive, &all->at[w], ask->likely))
            ask->waits[ask->wait_count++] = &all->at[w];
}

static bool ask_of_operations(struct lint *lint, struct asking *ask, bool likely)
{
    const struct handovers *all = lint->handovers;
    ask->likely = likely;
    find_waits(lint, ask);
    if (!ask->wait_count) return false;
    order_set_begin(lint, &ask->orders, NO_INSTR);
    order_set_add(lint, &ask->orders, ask->arrive, likely);
    struct op_list firsts = pair_orders_firsts(lint, likely);
    for (uint32_t i = firsts.count; i-- > 0;) {
        ask->op = &all->ops[firsts.at[i]];
        if (report_at(lint, ask)) return true;
    }
    return false;
}

/* ---- flags ---- */

/* The operation after which a flag is looked for. */
struct flag_search {
    const struct tensor_op *op;
    bool *none_behind;   /* by operation: its own walk has found no flag */
    bool *before_commit; /* by instruction: a flag after which the thread commits again */
};

static enum walk_does look_for_flag(void *context, const struct lint *lint, uint32_t instr,
                                    unsigned *state)
{
    const struct flag_search *search = context;
    const struct tensor_op *op = handover_op(lint, instr);
    enum effect effect = lint_effect(lint, instr);
    bool committed = *state;
    *state |= effect == EFFECT_COMMIT;
    if (is_relaxed_flag(lint, instr))
        return !committed || search->before_commit[instr] ? WALK_FOUND : WALK_ON;
    if (effect == EFFECT_COMMIT || instruction_has(lint->subject, instr, ".relaxed"))
        return WALK_ON;
    if (!effect_is_pipe(effect) || committed || instr == search->op->instr) return WALK_END;
    return op && search->none_behind[op - lint->handovers->ops] ? WALK_END : WALK_ON;
}

static const uint32_t flag_interest =
    WALK_ASYNC | RELEASE_EFFECTS | 1 << EFFECT_FENCE_BEFORE | 1 << EFFECT_COMMIT |
    1 << EFFECT_ACQUIRE_BARRIER | 1 << EFFECT_ACQUIRE_MEMORY | 1 << EFFECT_CALL | 1 << EFFECT_EXIT;

static enum walk_does look_for_commit(void *context, const struct lint *lint, uint32_t instr,
                                      unsigned *state)
{
    (void)context;
    (void)state;
    if (lint_effect(lint, instr) == EFFECT_COMMIT) return WALK_FOUND;
    return instruction_has(lint->subject, instr, ".relaxed") ? WALK_ON : WALK_END;
}

/* The next flag follows this one in its block, so that what follows it decides for both. */
static bool goes_on_at(const struct lint *lint, uint32_t flag, uint32_t next)
{
    const struct instr *instrs = lint->function->instrs;
    if (lint->cfg->block_of[flag] != lint->cfg->block_of[next]) return false;
    if (instrs[flag].guard != REG_NONE || instrs[next].guard != REG_NONE) return false;
    for (uint32_t i = flag + 1; i < next; i++)
        if (flag_interest >> lint_effect(lint, i) & 1) return false;
    return true;
}

/* Notes the flags after which the thread commits what it has issued before them. False if there are
 * no flags. */
static bool note_flags(const struct lint *lint, struct flag_search *search)
{
    const struct function *function = lint->function;
    uint32_t next = NO_INSTR;
    for (uint32_t i = function->notable_count; i-- > 0;) {
        uint32_t flag = function->notable[i];
        struct walk_path path;
        if (!is_relaxed_flag(lint, flag)) continue;
        if (!search->before_commit)
            search->before_commit =
                arena_alloc(lint->arena, function->count, sizeof *search->before_commit);
        search->before_commit[flag] =
            next != NO_INSTR && goes_on_at(lint, flag, next)
                ? search->before_commit[next]
                : walk_find(lint, flag, 0, flag_interest, look_for_commit, NULL, &path);
        next = flag;
    }
    return search->before_commit;
}

/* Looks for a flag that is set after a cp, mma or shift and before its last commit. */
static void find_flag(struct lint *lint, struct flag_search *search)
{
    const struct tensor_op *op = search->op;
    struct walk_path path;
    if (!walk_find(lint, op->instr, 0, flag_interest, look_for_flag, search, &path)) {
        search->none_behind[op - lint->handovers->ops] = !path.gave_up;
        return;
    }
    if (path.vague) return;
    lint_report(lint,
                (struct hazard){&lint_fence_before_missing, LINT_WARNING, path.found, op->instr,
                                "this sets a flag with %s in flight[: neither a commit nor a "
                                "tcgen05.fence::before_thread_sync orders the two]",
                                "set the flag after the wait for the commit of %s", path.instrs,
                                path.count, NULL});
}

/* A walk from the first operation comes to the second one, and then goes on as a walk from the
 * second: its finding, which is at the same flag, names the earlier operation. */
static bool is_followed_by(const struct lint *lint, uint32_t first, uint32_t second)
{
    const struct instr *x = &lint->function->instrs[first], *y = &lint->function->instrs[second];
    if (lint->cfg->block_of[first] != lint->cfg->block_of[second]) return false;
    if (x->guard != y->guard || x->guard_negated != y->guard_negated) return false;
    lint_spend(lint, (second - first) / 8 + 1);
    for (uint32_t i = first; i <= second; i++) {
        if (path_condition_changes(lint, i)) return false;
        if (i > first && i < second && flag_interest & walk_bits(lint, i)) return false;
    }
    return true;
}

/* The last operation comes first, because a walk ends at an operation from which nothing was
 * found. */
static void find_flags(struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    struct flag_search search = {0};
    if (!note_flags(lint, &search)) return;
    search.none_behind = arena_alloc(lint->arena, all->op_count, sizeof *search.none_behind);
    for (uint32_t i = all->op_count; i-- > 0;) {
        search.op = &all->ops[i];
        if (!effect_is_pipe(lint_effect(lint, search.op->instr))) continue;
        bool follows = i && effect_is_pipe(lint_effect(lint, all->ops[i - 1].instr)) &&
                       is_followed_by(lint, all->ops[i - 1].instr, search.op->instr);
        if (!follows) find_flag(lint, &search);
    }
}

static void fence_before_missing_find(struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    struct asking ask = {0};
    ask.waits = arena_alloc(lint->arena, all->count, sizeof(struct handover *));
    ask.orders = order_set_new(lint);
    find_flags(lint);
    for (uint32_t a = 0; a < all->count; a++) {
        struct handover own = all->at[a];
        struct barrier_use use;
        if (!is_relaxed_arrive(lint, &own)) continue;
        if (own.channel == CHANNEL_MBARRIER && own.use->remote) {
            use = peer_use_as_own(lint, own.use);
            own.use = &use;
        }
        ask.arrive = &own;
        ask.number = a;
        bool found = ask_of_operations(lint, &ask, false);
        if (!found && ask.arrive->channel == CHANNEL_MBARRIER)
            (void)ask_of_operations(lint, &ask, true);
    }
}

const struct lint_code lint_fence_before_missing = {
    .id = "fence-before-missing",
    .section = "9.7.16.6.3",
    .summary = "no fence::before_thread_sync before a relaxed arrive that signals tcgen05 work",
    .sentence = "An asynchronous `tcgen05` operation prior to a `tcgen05.fence::before_thread_sync`"
                " is ordered before all subsequent `tcgen05` and the execution ordering "
                "operations.",
    .risk = "the tensor core may execute another thread's operation before the one that the arrive "
            "or flag signals",
    .explanation =
        "Broken:  tcgen05.ld; tcgen05.wait::ld; mbarrier.arrive.relaxed\n"
        "Right:   tcgen05.ld; tcgen05.wait::ld; tcgen05.fence::before_thread_sync; "
        "mbarrier.arrive.relaxed\n"
        "\n"
        "A relaxed arrive publishes operations only if a fence::before is in front of it. "
        "Reported, as an error, if another thread waits for that mbarrier and then has an "
        "operation on columns that provably overlap, one of the two operations writes, and "
        "nothing else may order them. For a cp or shift that is not complete, every arrive is "
        "reported if the other thread has a fence::after_thread_sync and an mma: there only the "
        "fences order the pair. A warning: a relaxed store or red of a constant (a flag) between "
        "a cp, mma or shift and its commit.\n"
        "\n"
        "Not reported: an arrive that releases after a wait::ld, wait::st or a wait for a commit "
        "(what most kernels have), a fence.acq_rel in between, flags that carry data. If a ring "
        "changes the mbarrier or the columns, so that the two operations are only known to be in "
        "one allocation, it is a warning. If an operation has no wait and forms no pipelined "
        "pair, another code reports it: published-incomplete or completion-untracked. A relaxed "
        "store or red that another thread polls is treated like a relaxed arrive, and is a "
        "warning.",
    .find = fence_before_missing_find,
};
