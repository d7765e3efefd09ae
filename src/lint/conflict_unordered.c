/* The code conflict-unordered: two asynchronous operations of a thread access the same columns and
 * are not ordered. */
#include "base/sorted.h"
#include "lint/dependents.h"
#include "lint/groups_overlap.h"
#include "lint/handover.h"
#include "lint/late_operand.h"
#include "lint/late_wait.h"
#include "lint/mma_shape.h"
#include "lint/op_neighbours.h"
#include "lint/readers.h"
#include "lint/releases.h"
#include "lint/rounds_behind.h"
#include "lint/slots_overlap.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"

/* At most this many operations are examined for the first round of their loop. */
enum { FIRST_ROUNDS_MAX = 64 };

/* ---- which pairs conflict ---- */

static bool is_pair_of_9_4(enum effect a, enum effect b)
{
    return (a == EFFECT_ASYNC_ST && b <= EFFECT_ASYNC_ST) ||
           (a == EFFECT_ASYNC_LD && b == EFFECT_ASYNC_ST);
}

/* a, b: mma, cp or shift. The result D of a is A of b: only mma read tensor memory. Most other
 * pairs of mma, cp and shift are pipelined pairs (ISA 9.7.16.6.2), or are with ISA 9.4;
 * find_other_shape and find_copied_over find others that are not. */
static bool is_product_of_product(const struct lint *lint, const struct tensor_op *a,
                                  const struct tensor_op *b)
{
    for (uint32_t k = 0; k < b->range_count; k++)
        if (b->ranges[k].access == TMEM_READS && lint_effect(lint, a->instr) == EFFECT_ASYNC_MMA &&
            a->ranges[0].access == TMEM_WRITES &&
            tmem_overlap(lint->subject, &a->ranges[0], &b->ranges[k]))
            return true;
    return false;
}

/* ---- addresses that change in a loop ---- */

/* Both addresses use the same register, in one block, without a write to it in between. Then the
 * constant offsets decide whether they overlap. */
static bool go_by_one_register(const struct lint *lint, uint32_t first, uint32_t second)
{
    uint32_t web = value_address_web(lint->subject, first);
    if (first >= second || lint->cfg->block_of[first] != lint->cfg->block_of[second]) return false;
    if (web == REG_NONE || web != value_address_web(lint->subject, second)) return false;
    for (uint32_t i = first; i < second; i++)
        if (instruction_defines(lint->subject, i, web)) return false;
    lint_spend(lint, second - first);
    return true;
}

/* The columns that the first address of the operation names, at least; NULL: that address is
 * unknown. */
static const struct tmem_range *first_columns(const struct lint *lint, const struct tensor_op *op)
{
    bool load = lint_effect(lint, op->instr) == EFFECT_ASYNC_LD;
    bool known = op->range_count && (op->ranges[0].access == TMEM_READS) == load;
    return known ? &op->ranges[0] : NULL;
}

static int64_t columns_at_least(const struct tmem_range *range)
{
    return range->count ? range->count : 1;
}

/* At least one of the two is a load or store. */
static bool touch_one_cell(const struct lint *lint, const struct tensor_op *a,
                           const struct tensor_op *b)
{
    const struct tmem_range *p = first_columns(lint, a), *q = first_columns(lint, b);
    if (!p || !q || (p->access == TMEM_READS && q->access == TMEM_READS)) return false;
    int64_t apart = minus_wrapped(q->address.offset, p->address.offset);
    return p->address.base == q->address.base && apart < columns_at_least(p) &&
           apart > -columns_at_least(q) && go_by_one_register(lint, a->instr, b->instr);
}

static bool ops_collide(const struct lint *lint, const struct tensor_op *a,
                        const struct tensor_op *b)
{
    enum effect x = lint_effect(lint, a->instr), y = lint_effect(lint, b->instr);
    lint_spend(lint, 1);
    if (x == EFFECT_ASYNC_LD && !readers_have_result(lint, a->instr)) return false;
    if (y == EFFECT_ASYNC_LD && !readers_have_result(lint, b->instr)) return false;
    if (lint->pairs_of_9_4 && is_pair_of_9_4(x, y)) return false;
    if (effect_is_pipe(x) && effect_is_pipe(y)) return is_product_of_product(lint, a, b);
    return handover_conflict(lint, a, b) || touch_one_cell(lint, a, b);
}

/* ---- from the first to the second ---- */

/* The thread may learn at the instruction that an operation of its own is complete, which it or
 * another thread has committed. */
static bool may_learn(const struct lint *lint, uint32_t instr)
{
    enum effect e = lint_effect(lint, instr);
    return effect_is_acquire(e) || (effect_is_both(e) && handover_with_other_warps(lint, instr));
}

/* At the instruction an operation with the effect `first` may be known to be complete. An mma, cp
 * or shift needs a commit, which sets *state, and then a wait. */
static bool may_complete(const struct lint *lint, enum effect first, uint32_t instr,
                         unsigned *state)
{
    enum effect e = lint_effect(lint, instr);
    if (first == EFFECT_ASYNC_LD) return e == EFFECT_WAIT_LD;
    if (first == EFFECT_ASYNC_ST) return e == EFFECT_WAIT_ST;
    if (e == EFFECT_COMMIT) *state = 1;
    return *state && may_learn(lint, instr);
}

/* A release and an acquire come between: published-incomplete reports such a load or store, unless
 * the release is a barrier that only this warp executes. */
static bool is_conflict_handed_over(const struct lint *lint, uint32_t instr, enum effect own,
                                    unsigned *state)
{
    enum effect e = lint_effect(lint, instr);
    bool acquires = e == EFFECT_ACQUIRE_BARRIER || e == EFFECT_BOTH_BARRIER;
    if (effect_is_pipe(own)) return false;
    enum release_kind release = release_of(lint, instr);
    if (release && !(release == RELEASE_BARRIER && handover_only_warp(lint, instr))) *state = 1;
    return *state && acquires;
}

static enum walk_does look_for_conflict(void *context, const struct lint *lint, uint32_t instr,
                                        unsigned *state)
{
    const struct tensor_op *first = context;
    const struct tensor_op *second = handover_op(lint, instr);
    enum effect e = lint_effect(lint, instr), own = lint_effect(lint, first->instr);
    if (may_complete(lint, own, instr, state) || e == EFFECT_CALL) return WALK_END;
    if (is_conflict_handed_over(lint, instr, own, state)) return WALK_END;
    return second && ops_collide(lint, first, second) ? WALK_FOUND : WALK_ON;
}

/* The effects by which an mma, cp or shift may be known to be complete. */
enum {
    COMMIT_AND_WAIT = 1 << EFFECT_COMMIT | 1 << EFFECT_ACQUIRE_BARRIER |
                      1 << EFFECT_ACQUIRE_MEMORY | 1 << EFFECT_BOTH_BARRIER |
                      1 << EFFECT_BOTH_MEMORY
};

struct between {
    uint32_t second;
    enum effect own;
};

static enum walk_does look_for_completion(void *context, const struct lint *lint, uint32_t instr,
                                          unsigned *state)
{
    const struct between *between = context;
    if (instr == between->second) return WALK_END;
    if (!may_complete(lint, between->own, instr, state)) return WALK_ON;
    return handover_reaches(lint, instr, between->second) ? WALK_FOUND : WALK_END;
}

/* Some other path to the second has a commit. In many kernels only the last iteration of a loop
 * commits the mma, which a path does not show, so such a pair is not reported. */
static bool may_be_complete(const struct lint *lint, uint32_t first, uint32_t second)
{
    struct between between = {second, lint_effect(lint, first)};
    uint32_t interest = COMMIT_AND_WAIT | 1u << lint_effect(lint, second);
    struct walk_path path;
    return effect_is_pipe(between.own) &&
           walk_find(lint, first, 0, interest, look_for_completion, &between, &path);
}

/* LINT_NOTE: the second waits for registers that the first loads. */
static void conflict_unordered_report(struct lint *lint, uint32_t first,
                                      const struct walk_path *path, enum lint_level level)
{
    bool note = level == LINT_NOTE;
    enum effect own = lint_effect(lint, first);
    const char *says =
        note ? "this writes columns that %s loads, with no wait for the load[: only a use of the "
               "loaded registers delays this write, and that orders no tensor memory]"
             : "this accesses the same columns as %s, which is not complete[: the two are not "
               "ordered]";
    const char *fix = own == EFFECT_ASYNC_LD   ? "write tcgen05.wait::ld between %s and here"
                      : own == EFFECT_ASYNC_ST ? "write tcgen05.wait::st between %s and here"
                                               : "commit %s, and wait for the mbarrier before this";
    lint_report(lint, (struct hazard){&lint_conflict_unordered, level, path->found, first, says,
                                      fix, path->instrs, path->count, NULL});
}

/* The second waits for the use of the registers that the first loads, on this path or, where
 * control branches in between, on another. */
static bool is_held_back(struct dependents *dependents, const struct walk_path *path)
{
    if (dependents_reach(dependents, path->instrs, path->count)) return true;
    dependents_follow(dependents, path->instrs[0]);
    struct loaded_set read = dependents_read_by(dependents, path->found);
    return path->count > 2 && !loaded_set_is_empty(&read);
}

/* The thread of `first` may reach an operation that conflicts with it. */
static bool has_conflict(const struct lint *lint, const struct tensor_op *first)
{
    const struct tensor_op *ops = lint->handovers->ops;
    struct op_list near = op_neighbours_unpiped(lint, first);
    bool load = lint_effect(lint, first->instr) == EFFECT_ASYNC_LD;
    if (load && !readers_have_result(lint, first->instr)) return false;
    /* From the next one in the text on, since control mostly reaches it; then from the first one.
     */
    uint32_t next = sorted_find(near.at, 0, near.count, (uint32_t)(first - ops) + 1);
    for (uint32_t i = 0; i < near.count; i++) {
        uint32_t place = next + i < near.count ? next + i : next + i - near.count;
        const struct tensor_op *second = &ops[near.at[place]];
        if (handover_reaches(lint, first->instr, second->instr) && ops_collide(lint, first, second))
            return true;
    }
    return false;
}

/* question: that of the first mma, cp or shift of its kind with its effect, which look_for_conflict
 * does not tell from the others; NULL: of a load or store. */
static bool walk_to_conflict(const struct lint *lint, const struct tensor_op *first,
                             struct walk_question *question, struct walk_path *path)
{
    uint32_t interest = RELEASE_EFFECTS | COMMIT_AND_WAIT | WALK_ASYNC | 1 << EFFECT_WAIT_LD |
                        1 << EFFECT_WAIT_ST | 1 << EFFECT_CALL;
    if (!question)
        return walk_find(lint, first->instr, 0, interest, look_for_conflict, (void *)first, path);
    if (!question->memory)
        *question = (struct walk_question){interest, look_for_conflict, (void *)first, NULL};
    return walk_question_find(lint, question, first->instr, 0, path);
}

static void walk_from(struct lint *lint, const struct tensor_op *first,
                      struct walk_question *question, struct dependents *dependents,
                      enum lint_level level)
{
    uint32_t at = first->instr;
    struct walk_path path;
    if (!walk_to_conflict(lint, first, question, &path)) return;
    if (may_be_complete(lint, at, path.found)) return;
    bool load = lint_effect(lint, at) == EFFECT_ASYNC_LD;
    bool note = load && is_held_back(dependents, &path);
    if (note || !path.vague) conflict_unordered_report(lint, at, &path, note ? LINT_NOTE : level);
}

/* Sets *round to the operation with the columns of the first round of the loop that counts on its
 * address. */
static bool has_first_round(const struct lint *lint, const struct tensor_op *op,
                            struct tensor_op *round)
{
    enum { LANES = 1 << 16 };
    struct tmem_range *range = &round->ranges[0];
    *round = *op;
    if (effect_is_pipe(lint_effect(lint, op->instr)) || op->range_count != 1 ||
        value_is_fixed(lint->subject, range->address))
        return false;
    range->address = value_at_first(lint->subject, range->address);
    if (value_is_none(range->address) || !value_is_fixed(lint->subject, range->address))
        return false;
    struct value column = value_without_multiples(lint->subject, range->address, LANES);
    range->base = (struct value){column.base, 0};
    range->first = column.offset;
    return true;
}

/* As for a constant address, but a warning: a branch may leave out the first round. */
static void walk_from_first_round(struct lint *lint, const struct tensor_op *op,
                                  struct dependents *dependents, uint32_t *examined)
{
    const struct tensor_op *ops = lint->handovers->ops;
    struct tensor_op round;
    if (*examined == FIRST_ROUNDS_MAX || !has_first_round(lint, op, &round)) return;
    (*examined)++;
    struct op_list near = op_neighbours_find(lint, &round);
    uint32_t i = 0;
    while (i < near.count && (!handover_reaches(lint, op->instr, ops[near.at[i]].instr) ||
                              !ops_collide(lint, &round, &ops[near.at[i]])))
        i++;
    if (i < near.count) walk_from(lint, &round, NULL, dependents, LINT_WARNING);
}

/* ---- two mma with different shapes ---- */

/* mma, and their shapes by index in lint->handovers->ops. */
struct products {
    const struct tensor_op *first; /* where the path starts */
    const int64_t *shapes;
};

static bool is_of_other_shape(const struct lint *lint, const struct products *products,
                              const struct tensor_op *b)
{
    const struct tensor_op *a = products->first, *ops = lint->handovers->ops;
    lint_spend(lint, 1);
    return mma_shape_differs(lint, a, products->shapes[a - ops], b, products->shapes[b - ops]);
}

/* The first mma is complete only after a commit and a wait. */
static enum walk_does look_for_other_shape(void *context, const struct lint *lint, uint32_t instr,
                                           unsigned *state)
{
    const struct products *products = context;
    const struct tensor_op *second = handover_op(lint, instr);
    enum effect e = lint_effect(lint, instr);
    if (e == EFFECT_CALL || instr == products->first->instr) return WALK_END;
    if (may_complete(lint, EFFECT_ASYNC_MMA, instr, state)) return WALK_END;
    return second && is_of_other_shape(lint, products, second) ? WALK_FOUND : WALK_ON;
}

static void find_other_shape(struct lint *lint, const struct products *products)
{
    uint32_t at = products->first->instr;
    uint32_t interest = 1 << EFFECT_ASYNC_MMA | COMMIT_AND_WAIT | 1 << EFFECT_CALL;
    struct walk_path path;
    if (walk_find(lint, at, 0, interest, look_for_other_shape, (void *)products, &path) &&
        !path.vague)
        conflict_unordered_report(lint, at, &path, LINT_ERROR);
}

/* ---- copies and shifts ---- */

/* At most this many operations on the same columns behind a copy or shift are examined. */
enum { COPIED_OVER_MAX = 16 };

/* An mma may read the first of two copies, and a copy behind the mma is for the next one: an mma
 * and a later cp are a pipelined pair with ISA 9.4, and kernels rely on that. */
struct copied {
    const struct tensor_op *first, *product; /* a cp or shift; the next mma in the text, or end */
};

/* Of cp and shift only a shift and a cp.4x256b behind it are a pipelined pair. Two copies in parts
 * of the columns have different shapes. */
static bool is_unordered_with(const struct lint *lint, uint32_t a, uint32_t b)
{
    enum effect x = lint_effect(lint, a), y = lint_effect(lint, b);
    if (x == EFFECT_ASYNC_SHIFT)
        return y == EFFECT_ASYNC_CP && !instruction_has(lint->subject, b, ".4x256b");
    return y == EFFECT_ASYNC_SHIFT ||
           (y == EFFECT_ASYNC_CP &&
            lint->function->instrs[a].spelling == lint->function->instrs[b].spelling);
}

/* The operation is on the same columns, and no mma is between. */
static bool fills_columns_again(const struct lint *lint, const struct copied *copied,
                                const struct tensor_op *b)
{
    const struct tensor_op *a = copied->first;
    const struct tmem_range *p = first_columns(lint, a), *q = first_columns(lint, b);
    lint_spend(lint, 1);
    return b > a && b < copied->product && p && q && value_same(p->address, q->address) &&
           value_is_fixed(lint->subject, p->address) && is_unordered_with(lint, a->instr, b->instr);
}

static enum walk_does look_for_copy(void *context, const struct lint *lint, uint32_t instr,
                                    unsigned *state)
{
    const struct copied *copied = context;
    const struct tensor_op *second = handover_op(lint, instr);
    enum effect effect = lint_effect(lint, instr);
    if (effect == EFFECT_CALL || effect == EFFECT_ASYNC_MMA) return WALK_END;
    if (may_complete(lint, lint_effect(lint, copied->first->instr), instr, state)) return WALK_END;
    return second && fills_columns_again(lint, copied, second) ? WALK_FOUND : WALK_ON;
}

static void find_copied_over(struct lint *lint, struct copied *copied)
{
    const struct tensor_op *ops = lint->handovers->ops;
    struct op_list near = op_neighbours(lint, copied->first);
    uint32_t interest = 1 << EFFECT_ASYNC_CP | 1 << EFFECT_ASYNC_SHIFT | 1 << EFFECT_ASYNC_MMA |
                        COMMIT_AND_WAIT | 1 << EFFECT_CALL;
    struct walk_path path;
    uint32_t i = sorted_find(near.at, 0, near.count, (uint32_t)(copied->first - ops) + 1);
    uint32_t end = near.count - i > COPIED_OVER_MAX ? i + COPIED_OVER_MAX : near.count;
    while (i < end && &ops[near.at[i]] < copied->product &&
           !fills_columns_again(lint, copied, &ops[near.at[i]]))
        i++;
    if (i < end && &ops[near.at[i]] < copied->product &&
        walk_find(lint, copied->first->instr, 0, interest, look_for_copy, copied, &path) &&
        !path.vague)
        conflict_unordered_report(lint, copied->first->instr, &path, LINT_ERROR);
}

static void find_copies(struct lint *lint)
{
    const struct tensor_op *ops = lint->handovers->ops, *end = ops + lint->handovers->op_count;
    struct copied copied = {ops, ops};
    for (; copied.first < end; copied.first++) {
        enum effect effect = lint_effect(lint, copied.first->instr);
        if (effect != EFFECT_ASYNC_CP && effect != EFFECT_ASYNC_SHIFT) continue;
        if (copied.product < copied.first) copied.product = copied.first;
        while (copied.product < end && lint_effect(lint, copied.product->instr) != EFFECT_ASYNC_MMA)
            copied.product++;
        find_copied_over(lint, &copied);
    }
}

/* ---- the search ---- */

static const int64_t *find_shapes(const struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    int64_t *shapes = arena_alloc(lint->arena, all->op_count + 1, sizeof *shapes);
    for (uint32_t i = 0; i < all->op_count; i++) shapes[i] = mma_shape(lint, all->ops[i].instr);
    return shapes;
}

static bool has_other_shape(const struct lint *lint, const struct products *products)
{
    struct op_list near = op_neighbours(lint, products->first);
    for (uint32_t i = 0; i < near.count; i++)
        if (is_of_other_shape(lint, products, &lint->handovers->ops[near.at[i]])) return true;
    return false;
}

/* What the mma, cp or shift conflicts with is the same for all of its kind, whatever block they are
 * in: touch_one_cell adds only addresses that change. */
static bool is_alike_in_kind(const struct lint *lint, const struct tensor_op *op)
{
    const struct tmem_range *columns = first_columns(lint, op);
    return effect_is_pipe(lint_effect(lint, op->instr)) && columns &&
           value_is_fixed(lint->subject, columns->address);
}

/* The first of two operations of a kind has no conflict, and then the second has none: all that it
 * reaches, the first one reaches, too, and with the same address register. */
static bool is_alike_behind(const struct lint *lint, uint32_t first, uint32_t second)
{
    enum effect effect = lint_effect(lint, first);
    if (effect != lint_effect(lint, second) ||
        lint->cfg->block_of[first] != lint->cfg->block_of[second] ||
        condition_pairs_number(lint->subject, first) !=
            condition_pairs_number(lint->subject, second))
        return false;
    if (is_alike_in_kind(lint, handover_op(lint, first))) return true;
    if (effect == EFFECT_ASYNC_LD && !readers_have_result(lint, first)) return false;
    return go_by_one_register(lint, first, second);
}

/* Walks from all operations of a kind. first: the first one, by its index in handovers->ops. */
static void walk_from_kind(struct lint *lint, uint32_t first, struct dependents *dependents)
{
    const struct handovers *all = lint->handovers;
    struct walk_question questions[EFFECT_ASYNC_SHIFT + 1] = {{0}};
    uint32_t without = NO_INSTR; /* an operation that has no conflict */
    for (uint32_t i = first; i < all->op_count; i = op_next_of_kind(lint, i)) {
        const struct tensor_op *op = &all->ops[i];
        enum effect effect = lint_effect(lint, op->instr);
        bool alike = without != NO_INSTR && is_alike_behind(lint, without, op->instr);
        without = op->instr;
        if (alike || !has_conflict(lint, op)) continue;
        without = NO_INSTR;
        walk_from(lint, op, is_alike_in_kind(lint, op) ? &questions[effect] : NULL, dependents,
                  LINT_ERROR);
    }
    for (int e = 0; e <= EFFECT_ASYNC_SHIFT; e++) walk_question_end(lint, &questions[e]);
}

/* What is known of all operations of a kind, which have the same neighbours. */
struct of_kind {
    bool walked;
    bool one_shape; /* all mma over the columns have the same shape, as far as it is known */
};

static void conflict_unordered_find(struct lint *lint)
{
    struct dependents *dependents = dependents_build(lint);
    struct products products = {.shapes = find_shapes(lint)};
    uint32_t count = lint->handovers->op_count, examined = 0;
    struct of_kind *kinds = arena_alloc(lint->arena, count + 1, sizeof *kinds);
    for (uint32_t i = 0; i < count; i++) {
        const struct tensor_op *a = &lint->handovers->ops[i];
        struct of_kind *kind = &kinds[op_kind(lint, a)];
        if (!kind->walked) walk_from_kind(lint, i, dependents);
        kind->walked = true;
        walk_from_first_round(lint, a, dependents, &examined);
        if (products.shapes[i] < 0 || kind->one_shape) continue;
        products.first = a;
        kind->one_shape = !has_other_shape(lint, &products);
        if (!kind->one_shape) find_other_shape(lint, &products);
    }
    find_copies(lint);
    dependents_free(dependents);
    slots_overlap_report(lint, &lint_conflict_unordered);
    groups_overlap_report(lint, &lint_conflict_unordered);
    late_wait_report(lint, &lint_conflict_unordered);
    late_operand_report(lint, &lint_conflict_unordered);
    rounds_behind_report(lint, &lint_conflict_unordered);
}

const struct lint_code lint_conflict_unordered = {
    .id = "conflict-unordered",
    .section = "9.7.16.6.2",
    .summary = "two unordered asynchronous operations of a thread access the same columns",
    .sentence = "The asynchronous tcgen05 operations may execute and complete in a different order "
                "than they were issued.",
    .risk =
        "the later operation reads what the earlier one has not written yet, or overwrites what "
        "the earlier one still reads",
    .explanation =
        "Broken:  tcgen05.st [t]; tcgen05.ld [t]\n"
        "Right:   tcgen05.st [t]; tcgen05.wait::st; tcgen05.ld [t]\n"
        "Broken:  tcgen05.mma [d]; tcgen05.ld [d]\n"
        "Right:   tcgen05.mma [d]; commit [mbar]; wait for mbar; tcgen05.ld [d]\n"
        "Both operations are of one thread, on constant columns of a base that no loop changes. "
        "One of them writes, they are not a pipelined pair, and on a path from the first to the "
        "second nothing completes the first.\n"
        "If the first is a load, the finding is a note if the second stores a value that depends "
        "on the loaded registers, or if some of these registers were stored before the second: "
        "the hardware waits for the value, but that orders no tensor memory.\n"
        "A warning if a loop counts on the address of a load or store, and in its first round "
        "the columns are those of the second.\n"
        "Not reported: other addresses that vary in a loop, except those of two operations in "
        "one basic block with the same address register; two of mma, cp and shift (but these are "
        "reported: an mma that reads the result of the first as A; two mma over the same columns "
        "whose descriptors give different M or N, or that begin at different columns; two cp of "
        "one shape, a cp and a shift, or a shift and a cp other than .4x256b, to the same "
        "columns with no mma between); an mma with a commit on some path to the second; "
        "operations with a release in between, which published-incomplete reports; with ISA 9.4 "
        "st to ld, st to st and ld to st, which are pipelined pairs there.\n"
        "Warnings between threads: a load from a ring of accumulators with an mbarrier for each "
        "slot, if the mma writes more columns than lie between two slots; a store or cp to what "
        "an mma reads, if its thread has let the mma run again and has not waited since, or waits "
        "for nothing that tells of its last round; an operation that overwrites what others may "
        "still load, if the wait for them comes after it, or each wait before it is for an arrive "
        "which they give before that load; a store to columns that another group of warps loads.",
    .find = conflict_unordered_find,
};
