/* The code dealloc-too-early: tensor memory is freed while an operation may still use it. */
#include "lint/dealloc_told.h"
#include "lint/dealloc_unseen.h"
#include "lint/dependents.h"
#include "lint/handover.h"
#include "lint/meet.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"
#include "value/tmem.h"

enum own_kind { OWN_LOADS, OWN_STORES, OWN_PRODUCTS, OWN_KINDS };
enum { OWN_QUESTIONS = 4 };

/* A walk towards a dealloc that is asked of many uses. */
struct own_question {
    uint32_t user; /* one of those for which the answers are the same */
    struct walk_question question;
};

struct early {
    struct lint *lint;
    /* Of the warp that frees: for uses of some allocations, those asked last. */
    struct own_question own[OWN_KINDS][OWN_QUESTIONS];
    uint32_t oldest[OWN_KINDS];
    struct lanes_shape shape;
    struct VEC(uint32_t) deallocs, users; /* users: ld, st, mma, cp, shift */
    /* What may tell another thread how far this one has come: the last instruction of each block
     * and set of conditions, from the end of the text. Empty until needed. */
    struct VEC(uint32_t) signals;
    struct walk_question signalled; /* see look_for_signal */
    struct dependents *dependents;  /* NULL until needed */
    struct loaded_set all;
    struct loaded_sets used; /* the state of a path is an index into it */
};

static bool is_dealloc(const struct lint *lint, uint32_t instr)
{
    return str_starts(instruction_opcode(lint->subject, instr), "tcgen05.dealloc");
}

static const struct lint_words pair_agrees = {
    "9.7.16.7.1", "issuing warp and peer CTA warp must synchronize Tensor Memory accesses before "
                  "attempting to collectively deallocate the Tensor Memory"};

static void dealloc_too_early_report(struct early *e, enum lint_level level, uint32_t user,
                                     const struct walk_path *path, const char *says,
                                     const char *fix)
{
    lint_report(e->lint, (struct hazard){&lint_dealloc_too_early, level, path->found, user, says,
                                         fix, path->instrs, path->count, NULL});
}

/* ---- which allocation ---- */

/* The two instructions are known to name different allocations. */
static bool is_another_allocation(const struct lint *lint, uint32_t user, uint32_t dealloc)
{
    const struct tensor_op *op = handover_op(lint, user);
    if (!op->range_count) return false;
    struct value used = tmem_allocated(lint->subject, op->ranges[0].address),
                 freed = tmem_allocated(lint->subject, value_of_operand(lint->subject, dealloc, 0));
    if (value_is_none(used) || value_is_none(freed)) return false;
    struct value x = value_expr(lint->subject, used)->a[0],
                 y = value_expr(lint->subject, freed)->a[0];
    return x.base == y.base && x.offset != y.offset;
}

/* The uses may be of the same allocations. */
static bool are_of_same_allocations(const struct early *e, uint32_t user, uint32_t other)
{
    for (uint32_t d = 0; d < e->deallocs.count; d++)
        if (is_another_allocation(e->lint, user, e->deallocs.at[d]) !=
            is_another_allocation(e->lint, other, e->deallocs.at[d]))
            return false;
    return true;
}

/* The question for the allocation of the use. */
static struct own_question *own_question_of(struct early *e, enum own_kind kind, uint32_t user)
{
    for (uint32_t i = 0; i < OWN_QUESTIONS; i++) {
        struct own_question *own = &e->own[kind][i];
        if (own->question.memory && are_of_same_allocations(e, own->user, user)) return own;
    }
    struct own_question *own = &e->own[kind][e->oldest[kind]++ % OWN_QUESTIONS];
    walk_question_end(e->lint, &own->question);
    own->user = user;
    return own;
}

/* As walk_question_find. The look has a use as its context, of which only the kind and the
 * allocation matter. */
static bool own_question_find(struct early *e, enum own_kind kind, uint32_t user, uint32_t interest,
                              walk_look *look, struct walk_path *path)
{
    struct own_question *own = own_question_of(e, kind, user);
    if (!own->question.memory)
        own->question = (struct walk_question){interest, look, &own->user, NULL};
    return walk_question_find(e->lint, &own->question, user, 0, path);
}

/* ---- (a) a load or store of the same warp ---- */

static enum walk_does look_pending(void *context, const struct lint *lint, uint32_t instr,
                                   unsigned *state)
{
    const uint32_t *user = context;
    bool load = lint_effect(lint, *user) == EFFECT_ASYNC_LD;
    enum effect effect = lint_effect(lint, instr);
    (void)state;
    if (effect == (load ? EFFECT_WAIT_LD : EFFECT_WAIT_ST) || effect == EFFECT_CALL)
        return WALK_END;
    return is_dealloc(lint, instr) && !is_another_allocation(lint, *user, instr) ? WALK_FOUND
                                                                                 : WALK_ON;
}

/* Looks for a dealloc before every loaded register has been used: an instruction that uses a
 * register waits for the load. */
static enum walk_does look_unused(void *context, const struct lint *lint, uint32_t instr,
                                  unsigned *state)
{
    struct early *e = context;
    enum effect effect = lint_effect(lint, instr);
    struct loaded_set used = e->used.all.at[*state];
    if (effect == EFFECT_WAIT_LD || effect == EFFECT_CALL) return WALK_END;
    if (is_dealloc(lint, instr)) return WALK_FOUND;
    struct loaded_set read = dependents_read_by(e->dependents, instr);
    if (loaded_set_add(&used, &read)) *state = loaded_sets_place(&e->used, &used);
    return loaded_set_covers(&used, &e->all) ? WALK_END : WALK_ON;
}

/* On some path to a dealloc, not all loaded registers are used. False for a load whose result is
 * never used, because ptxas removes it. */
static bool is_unused(struct early *e, uint32_t load, struct walk_path *path)
{
    struct loaded_set none = {{0}};
    if (!e->dependents) e->dependents = dependents_build(e->lint);
    dependents_follow(e->dependents, load);
    e->all = dependents_all(e->dependents);
    loaded_sets_clear(&e->used);
    return dependents_any(e->dependents) &&
           walk_forward(e->lint, load, loaded_sets_place(&e->used, &none), 0, look_unused, e, path);
}

/* False if no dealloc can be reached. */
static bool find_own_pending(struct early *e, uint32_t user)
{
    struct lint *lint = e->lint;
    bool load = lint_effect(lint, user) == EFFECT_ASYNC_LD;
    struct walk_path path;
    uint32_t interest =
        1u << EFFECT_WAIT_LD | 1u << EFFECT_WAIT_ST | 1u << EFFECT_CALL | 1u << EFFECT_ALLOC;
    if (!own_question_find(e, load ? OWN_LOADS : OWN_STORES, user, interest, look_pending, &path))
        return path.gave_up;
    if (load && !is_unused(e, user, &path)) return true;
    bool partly = load && !loaded_set_is_empty(&e->used.all.at[path.state]);
    if (path.vague || !lanes_any(lint->subject, &e->shape, &path.set)) return true;
    dealloc_too_early_report(e, partly ? LINT_WARNING : LINT_ERROR, user, &path,
                             "this frees columns that %s of the same warp may still use",
                             load ? "write tcgen05.wait::ld between %s and the dealloc"
                                  : "write tcgen05.wait::st between %s and the dealloc");
    return true;
}

/* ---- (b) an mma, cp or shift of the same warp ---- */

static enum walk_does look_unmet(void *context, const struct lint *lint, uint32_t instr,
                                 unsigned *state)
{
    const uint32_t *user = context;
    (void)state;
    if (meet_kind_of(lint, instr) != MEET_NOBODY) return WALK_END;
    return is_dealloc(lint, instr) && !is_another_allocation(lint, *user, instr) ? WALK_FOUND
                                                                                 : WALK_ON;
}

/* False if no dealloc can be reached. */
static bool find_own_product(struct early *e, uint32_t user)
{
    const uint32_t interest = MEET_EFFECTS | 1u << EFFECT_ALLOC;
    struct walk_path path;
    if (!own_question_find(e, OWN_PRODUCTS, user, interest, look_unmet, &path)) return path.gave_up;
    if (path.vague || !lanes_any(e->lint->subject, &e->shape, &path.set)) return true;
    dealloc_too_early_report(e, LINT_ERROR, user, &path,
                             "this frees columns that %s may still use[: no wait covers it]",
                             "let this warp wait for the mbarrier of a tcgen05.commit after %s");
    return true;
}

/* ---- (c) the peer CTA ---- */

/* The instruction may tell threads of other CTAs how far this thread has come. */
static bool tells_cluster(const struct lint *lint, uint32_t instr)
{
    switch (lint_effect(lint, instr)) {
    case EFFECT_RELEASE_BARRIER:
        return instruction_has(lint->subject, instr, ".cluster") ||
               instruction_has(lint->subject, instr, ".shared::cluster");
    case EFFECT_COMMIT: return instruction_has(lint->subject, instr, ".multicast::cluster");
    case EFFECT_RELEASE_MEMORY: return !str_starts(instruction_opcode(lint->subject, instr), "cp.");
    case EFFECT_BOTH_MEMORY: return meet_kind_of(lint, instr) != MEET_NOBODY;
    case EFFECT_CALL: return true;
    default: return false;
    }
}

static enum walk_does look_telling(void *context, const struct lint *lint, uint32_t instr,
                                   unsigned *state)
{
    (void)context, (void)state;
    if (is_dealloc(lint, instr)) return WALK_END;
    if (str_is(instruction_base(lint->subject, instr), "barrier")) return WALK_ON;
    return tells_cluster(lint, instr) ? WALK_FOUND : WALK_ON;
}

enum {
    TELLING = 1 << EFFECT_RELEASE_BARRIER | 1 << EFFECT_COMMIT | 1 << EFFECT_RELEASE_MEMORY |
              1 << EFFECT_BOTH_MEMORY | 1 << EFFECT_CALL
};

/* The peer CTA executes the same code, so a use is ordered before the dealloc if a barrier of the
 * cluster is between them on each path. */
static void find_untold_by_peer(struct early *e, uint32_t dealloc)
{
    struct walk_path path;
    for (uint32_t i = e->users.count; i--;) {
        uint32_t user = e->users.at[i];
        if (effect_is_pipe(lint_effect(e->lint, user)) ||
            is_another_allocation(e->lint, user, dealloc))
            continue;
        if (!meet_cluster_missing(e->lint, user, dealloc, &path)) continue;
        lint_report(
            e->lint,
            (struct hazard){
                &lint_dealloc_too_early, LINT_ERROR, path.found, user,
                "this frees for both CTAs[ of the pair], and %s of the peer CTA may be in flight",
                "write barrier.cluster.arrive and barrier.cluster.wait between "
                "%s and the dealloc",
                path.instrs, path.count, &pair_agrees});
        return;
    }
}

/* A thread of a CTA may signal another one, and that one the cluster. So nothing is reported if any
 * signal may exist, except barrier.cluster, which ends only after the warp that frees has reached
 * it too. */
static void find_untold_peer(struct early *e)
{
    struct walk_path path;
    for (uint32_t i = 0; i < e->users.count; i++) {
        bool pipe = effect_is_pipe(lint_effect(e->lint, e->users.at[i]));
        if (pipe) continue;
        if (walk_find(e->lint, e->users.at[i], 0, TELLING | 1 << EFFECT_ALLOC, look_telling, NULL,
                      &path))
            return;
    }
    for (uint32_t d = 0; d < e->deallocs.count; d++) find_untold_by_peer(e, e->deallocs.at[d]);
}

/* ---- the other warps ---- */

/* The instruction may tell another thread how far this thread has come. */
static bool may_signal_progress(const struct lint *lint, uint32_t instr)
{
    switch (lint_effect(lint, instr)) {
    case EFFECT_RELEASE_BARRIER:
    case EFFECT_RELEASE_MEMORY:
    case EFFECT_COMMIT:
    case EFFECT_CALL: return true;
    case EFFECT_BOTH_BARRIER:
    case EFFECT_BOTH_MEMORY: return meet_kind_of(lint, instr) != MEET_NOBODY;
    default: return false;
    }
}

static enum walk_does look_for_signal(void *context, const struct lint *lint, uint32_t instr,
                                      unsigned *state)
{
    (void)context, (void)state;
    return may_signal_progress(lint, instr) ? WALK_FOUND : WALK_ON;
}

/* Finds the end of a thread that neither signals nor reaches the dealloc. */
static enum walk_does look_end(void *context, const struct lint *lint, uint32_t instr,
                               unsigned *state)
{
    const uint32_t *dealloc = context;
    (void)state;
    if (instr == *dealloc || may_signal_progress(lint, instr)) return WALK_END;
    if (lint_effect(lint, instr) != EFFECT_EXIT) return WALK_ON;
    return instruction_is_trap(lint->subject, instr) ? WALK_END : WALK_FOUND;
}

/* The set contains a condition on the warp number. */
static bool has_warp(const struct lint *lint, const struct condition_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        struct value c = {set->at[i].base, 0};
        if (!value_expr(lint->subject, c)->of_block && lanes_know(lint->subject, c)) return true;
    }
    return false;
}

static uint32_t warps_at(const struct early *e, const struct condition_set *set)
{
    bool sure;
    return lanes_warps(e->lint->subject, &e->shape, set, &sure);
}

/* A warp that certainly meets all conditions of the path neither frees nor is one of the others. */
static bool is_of_other_warp(const struct early *e, const struct walk_path *path,
                             const struct condition_set *frees, uint32_t others)
{
    bool sure;
    uint32_t warps = lanes_warps(e->lint->subject, &e->shape, &path->set, &sure);
    if (!others) return lanes_other_warp(e->lint->subject, &e->shape, &path->set, frees);
    return sure && warps & ~(others | warps_at(e, frees));
}

static void list_signals_to_others(struct early *e)
{
    const struct lint *lint = e->lint;
    const struct condition_set *asked = NULL;
    uint32_t block = UINT32_MAX;
    lint_spend(lint, lint->subject->acting_count / 8);
    for (uint32_t n = lint->subject->acting_count; n-- > 0;) {
        uint32_t i = lint->subject->acting[n];
        if (!may_signal_progress(lint, i)) continue;
        const struct condition_set *set = condition_pairs_set(lint->subject, i);
        if (set == asked && lint->cfg->block_of[i] == block) continue;
        asked = set;
        block = lint->cfg->block_of[i];
        vec_push(&e->signals, i);
    }
}

/* The warps, as bits, that may signal after the use; all bits if it is not certain that another
 * warp executes the use. All paths must be checked, because one lane of a warp may signal for the
 * others. */
static uint32_t warps_that_signal(struct early *e, uint32_t user)
{
    const struct subject *subject = e->lint->subject;
    const struct condition_set *asked = NULL, *users = condition_pairs_set(subject, user);
    bool sure;
    uint32_t warps = 0, use = lanes_warps(subject, &e->shape, users, &sure);
    if (!e->shape.warps || !sure) return UINT32_MAX;
    if (!e->signals.count) list_signals_to_others(e);
    lint_spend(e->lint, e->signals.count);
    for (uint32_t i = 0; i < e->signals.count && use & ~warps; i++) {
        const struct condition_set *set = condition_pairs_set(subject, e->signals.at[i]);
        if (set == asked || !handover_reaches(e->lint, user, e->signals.at[i])) continue;
        asked = set;
        warps |= set == users ? use : warps_at(e, set);
    }
    return use & ~warps ? warps : UINT32_MAX;
}

/* The next use is in the same block: what is true of the last use of a block is true of it. */
static bool is_followed(const struct early *e, uint32_t index)
{
    const uint32_t *block_of = e->lint->cfg->block_of;
    return index + 1 < e->users.count &&
           block_of[e->users.at[index]] == block_of[e->users.at[index + 1]];
}

/* A warp that does not free ends after its last use, and never signals after it. An mma, cp or
 * shift is mostly issued and committed by one lane, so a signal on any path counts for it. Returns
 * whether the warp may signal. */
static bool find_untold_warp(struct early *e, uint32_t index)
{
    struct lint *lint = e->lint;
    struct walk_path path;
    uint32_t user = e->users.at[index], signal = 0;
    uint32_t interest = e->signalled.interest | 1u << EFFECT_EXIT | 1u << EFFECT_ALLOC;
    bool signals = walk_question_leads(lint, &e->signalled, user, 0);
    bool pipe = effect_is_pipe(lint_effect(lint, user));
    if (signals) signal = pipe || is_followed(e, index) ? UINT32_MAX : warps_that_signal(e, user);
    if (signal == UINT32_MAX) return signals;
    for (uint32_t i = 0; i < e->deallocs.count; i++) {
        uint32_t dealloc = e->deallocs.at[i];
        struct condition_set frees = conditions_of(lint->subject, dealloc);
        if (is_another_allocation(lint, user, dealloc) || !has_warp(lint, &frees)) continue;
        if (!walk_find(lint, user, 0, interest, look_end, &dealloc, &path)) continue;
        if (path.vague || !is_of_other_warp(e, &path, &frees, signal)) continue;
        lint_report(lint, (struct hazard){&lint_dealloc_too_early, LINT_ERROR, dealloc, user,
                                          "this frees columns that %s of another warp may still "
                                          "use[: that warp ends without a release]",
                                          "write a bar.sync of all warps between %s and "
                                          "the dealloc",
                                          path.instrs, path.count, NULL});
    }
    return signals;
}

static bool is_said_of(const struct lint *lint, uint32_t dealloc)
{
    return lint_has_reported(lint, &lint_dealloc_too_early, dealloc);
}

/* A thread that executes the use may reach its end. Otherwise each path from the use ends with a
 * trap. */
static bool thread_may_end(const struct lint *lint, uint32_t user)
{
    uint32_t count = lint->subject->acting_count;
    if (handover_reaches(lint, user, lint->function->count - 1)) return true;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = lint->subject->acting[n];
        if (lint_effect(lint, i) == EFFECT_EXIT && !instruction_is_trap(lint->subject, i) &&
            handover_reaches(lint, user, i))
            return true;
    }
    return false;
}

/* Of the loads from one allocation only the last one of each block is examined: a wait for it
 * covers those before it. */
static void find_told_too_late(struct early *e, uint32_t dealloc)
{
    enum { BLOCKS_MAX = 8 };
    struct lint *lint = e->lint;
    struct condition_set frees = conditions_of(lint->subject, dealloc);
    uint32_t block = UINT32_MAX, blocks = 0;
    if (!has_warp(lint, &frees)) return;
    for (uint32_t i = e->users.count; i-- && blocks < BLOCKS_MAX && !is_said_of(lint, dealloc);) {
        uint32_t user = e->users.at[i];
        bool load = lint_effect(lint, user) == EFFECT_ASYNC_LD;
        if (!load || lint->cfg->block_of[user] == block) continue;
        if (is_another_allocation(lint, user, dealloc)) continue;
        blocks++;
        block = lint->cfg->block_of[user];
        if (thread_may_end(lint, user))
            dealloc_told_report(lint, &lint_dealloc_too_early, dealloc, user);
    }
}

/* A thread may come from the use to the later one without a wait in between. */
static bool goes_on_to(const struct lint *lint, uint32_t user, uint32_t later)
{
    const struct handovers *all = lint->handovers;
    if (lint->cfg->block_of[user] == lint->cfg->block_of[later]) return true;
    uint32_t h = handover_from(all, user);
    lint_spend(lint, 1);
    while (h < all->count && all->at[h].instr < later && !all->at[h].waits) h++;
    return (h == all->count || all->at[h].instr > later) && handover_reaches(lint, user, later) &&
           !condition_pairs_exclude(lint->subject, user, later);
}

/* Of the mma to one allocation only the last one before each wait is examined. */
static void find_unseen(struct early *e, uint32_t dealloc)
{
    struct lint *lint = e->lint;
    struct unseen_answer last = {.waits = NULL};
    uint32_t later = NO_INSTR;
    for (uint32_t i = e->users.count; i-- && !is_said_of(lint, dealloc);) {
        uint32_t user = e->users.at[i];
        if (lint_effect(lint, user) != EFFECT_ASYNC_MMA) continue;
        if (is_another_allocation(lint, user, dealloc)) continue;
        if (later == NO_INSTR || !goes_on_to(lint, user, later))
            dealloc_unseen_report(lint, &lint_dealloc_too_early, dealloc, user, &last);
        later = user;
    }
    walk_question_end(lint, &last.ends);
}

/* ---- the search ---- */

/* What is known of the use examined last. */
struct later {
    uint32_t user;
    bool frees;   /* a dealloc may be reached before a wait */
    bool signals; /* a signal is reached */
};

/* The use is in the block of the later one, with the same conditions, kind and allocation, and no
 * dealloc is between them: a path from the one goes by the other. */
static bool is_ahead_of(const struct early *e, uint32_t user, uint32_t later)
{
    const struct lint *lint = e->lint;
    if (lint->cfg->block_of[user] != lint->cfg->block_of[later] ||
        lint_effect(lint, user) != lint_effect(lint, later) ||
        condition_pairs_number(lint->subject, user) != condition_pairs_number(lint->subject, later))
        return false;
    for (uint32_t d = 0; d < e->deallocs.count; d++)
        if (user < e->deallocs.at[d] && e->deallocs.at[d] < later) return false;
    return are_of_same_allocations(e, user, later);
}

/* later: of the use behind this one in the text; afterwards, of this one. */
static void examine_use(struct early *e, uint32_t index, struct later *later)
{
    uint32_t user = e->users.at[index];
    bool pipe = effect_is_pipe(lint_effect(e->lint, user));
    bool ahead = later->user != NO_INSTR && is_ahead_of(e, user, later->user);
    later->user = user;
    if (!ahead || later->frees)
        later->frees = pipe ? find_own_product(e, user) : find_own_pending(e, user);
    if (e->lint->function->is_entry && !(ahead && later->signals))
        later->signals = find_untold_warp(e, index);
}

static void find_in(struct early *e)
{
    struct lint *lint = e->lint;
    bool pair = instruction_has(lint->subject, e->deallocs.at[0], ".cta_group::2");
    struct later later = {NO_INSTR, false, false};
    for (uint32_t i = e->users.count; i-- > 0;) examine_use(e, i, &later);
    if (pair && lint->function->is_entry) find_untold_peer(e);
    if (pair || !lint->function->is_entry) return;
    for (uint32_t d = 0; d < e->deallocs.count; d++) find_told_too_late(e, e->deallocs.at[d]);
    for (uint32_t d = 0; d < e->deallocs.count; d++) find_unseen(e, e->deallocs.at[d]);
}

static void dealloc_too_early_find(struct lint *lint)
{
    struct early e = {
        .lint = lint,
        .shape = lint->handovers->shape,
        .signalled = {TELLING | 1u << EFFECT_BOTH_BARRIER, look_for_signal, NULL, NULL}};
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        if (!conditions_reach(lint->subject, lint->cfg->block_of[i])) continue;
        if (effect_is_async(lint_effect(lint, i))) vec_push(&e.users, i);
        if (lint_effect(lint, i) == EFFECT_ALLOC && is_dealloc(lint, i)) vec_push(&e.deallocs, i);
    }
    if (e.deallocs.count) find_in(&e);
    walk_question_end(lint, &e.signalled);
    for (uint32_t i = 0; i < OWN_KINDS * OWN_QUESTIONS; i++)
        walk_question_end(lint, &e.own[i / OWN_QUESTIONS][i % OWN_QUESTIONS].question);
    if (e.dependents) dependents_free(e.dependents);
    vec_free(&e.users);
    vec_free(&e.deallocs);
    vec_free(&e.signals);
    loaded_sets_free(&e.used);
}

const struct lint_code lint_dealloc_too_early = {
    .id = "dealloc-too-early",
    .section = "9.7.16.6.4",
    .summary = "tensor memory is freed while an operation on it may be in flight",
    .sentence = "the producer threads that issue the asynchronous `tcgen05` instructions must "
                "explicitly wait for the instructions’ completion before synchronizing with "
                "the consumer threads.",
    .risk =
        "another CTA may have these columns by then: the operation reads or overwrites its data",
    .explanation =
        "Broken:  tcgen05.ld ...; st.global ...; @%warp0 tcgen05.dealloc ...\n"
        "Right:   tcgen05.ld ...; tcgen05.wait::ld; st.global ...; bar.sync 0; @%warp0 "
        "tcgen05.dealloc ...\n"
        "\n"
        "Reported: a ld or st of the warp that frees, with no wait of its kind in between; an "
        "mma, cp or shift of that warp, with no wait and no barrier after it; an operation "
        "of another warp that ends without a release, also if other warps release; with "
        "cta_group::2, a kernel with no signal to its cluster after the last use (9.7.16.7.1 "
        "requires the peers to synchronize their accesses first). Not reported: a load by the "
        "warp that frees, if each loaded register was stored, since a store waits for its "
        "register (a warning if only some were); uses of another allocation; operations with any "
        "barrier, arrival or flag after them that may order them; calls. A warning if the warp "
        "that frees, even if it loads too, does not wait for a signal of the loading warp, or if "
        "its last wait for such a signal comes before it issues the mma whose result is loaded.",
    .find = dealloc_too_early_find,
};
