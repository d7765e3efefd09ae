/* Computes the conditions that are known on a path. A condition on a fixed value always holds; a
 * condition on another value holds until an instruction computes the value again. A table stores
 * the result of each step by the set before it and its place. See path_condition.h. */
#include "lint/path_condition.h"

#include "base/intern.h"
#include "base/sorted.h"
#include "lint/guard_reach.h"
#include "lint/root_reach.h"
#include "value/compute.h"
#include "value/expr.h"

/* A set of conditions in the order of their codes. */
struct known {
    uint64_t bits; /* of all codes; several codes share a bit */
    uint32_t count;
    const struct condition *at;
};

/* The kinds of steps. A step has a set and a place. */
enum step {
    STEP_RUN,
    STEP_FOLLOW,
    STEP_GUARD,
    STEP_HOLDS,
    STEP_FAILS,
    STEP_FIXED,
    STEP_JOIN,
    STEP_AT
};

/* What is asked often about the base of a condition. Computed once. */
struct base {
    uint64_t leaves; /* see leaves_of */
    uint32_t bit;    /* of its root, see root_reach_bit */
    bool known, fixed;
};

struct answer {
    uint64_t key;      /* 0: free */
    uint32_t set : 31; /* CONTRADICTION if the step is impossible; for STEP_GUARD, an enum truth */
    uint32_t lost : 1;
};

struct path_conditions {
    bool *matters; /* by register: a guard depends on it, and it may change */
    bool *changes; /* by instruction: it writes a register that matters */
    struct path_stops stops;
    uint32_t *order; /* the instructions with `changes`, in the order of the text */
    uint32_t *first; /* by block, and one more: the index of its first entry in order */
    uint64_t *live;  /* by block: see guard_reach.h */
    struct root_reach *roots;
    uint64_t *written;  /* by block: the bits of the leaves that it may change */
    uint32_t text_rows; /* the rows of exprs up to this one are of the text */
    struct intern numbers;
    struct VEC(struct known) sets; /* by number */
    struct VEC(struct base) bases; /* by base: see base_at */
    struct answer *answers;        /* a hash table */
    uint32_t answer_count, answer_cap;
};

#define CONTRADICTION (UINT32_MAX >> 1)

/* ---- the registers that matter ---- */

static void mark_writers(const struct lint *lint, struct path_conditions *all, uint32_t web)
{
    uint32_t write = all->matters[web] ? NO_WRITE : value_last_write(lint->subject, web);
    all->matters[web] = true;
    for (; write != NO_WRITE; write = value_write_before(lint->subject, write))
        all->stops.changes[value_write_instr(lint->subject, write)] = true;
}

static void note_leaves(const struct lint *lint, struct path_conditions *all, uint32_t base)
{
    const struct expr *e = value_expr(lint->subject, (struct value){base, 0});
    const struct instr *instr = &lint->function->instrs[e->kind == EXPR_LOADED ? e->instr : 0];
    if (!base || e->fixed) return;
    if (e->kind == EXPR_REG) mark_writers(lint, all, e->web);
    for (uint32_t u = 0; e->kind == EXPR_LOADED && u < instr->use_count; u++) {
        const struct use *use = &lint->function->uses[instr->first_use + u];
        if (use->write) mark_writers(lint, all, use->reg);
    }
    for (int i = 0; i < 3; i++) note_leaves(lint, all, e->a[i].base);
}

static bool is_stop(const struct instr *instr)
{
    return instr->opcode->effect != EFFECT_REGISTER ||
           instr->opcode->traits & (OPCODE_BRANCH | OPCODE_TABLE_BRANCH);
}

static void find_matters(const struct lint *lint, struct path_conditions *all)
{
    const struct function *f = lint->function;
    for (uint32_t i = 0; i < f->count; i++) {
        const struct instr *instr = &f->instrs[i];
        if (instr->guard == REG_NONE || !is_stop(instr)) continue;
        struct value guard = value_of_guard(lint->subject, i);
        if (!value_is_none(guard)) note_leaves(lint, all, guard.base);
    }
}

static void note_written(const struct lint *lint, struct path_conditions *all, uint32_t i)
{
    const struct instr *instr = &lint->function->instrs[i];
    uint64_t *written = &all->written[lint->cfg->block_of[i]];
    *written |= leaf_bit(i);
    for (uint32_t u = 0; u < instr->use_count; u++) {
        const struct use *use = &lint->function->uses[instr->first_use + u];
        if (use->write && all->matters[use->reg]) *written |= leaf_bit(use->reg);
    }
}

/* Lists the stops, and those of them that change what is known. */
static void list_stops(const struct lint *lint, struct path_conditions *all)
{
    const struct function *f = lint->function;
    uint32_t count = 0, changes = 0, block = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        if (!all->stops.changes[i] && !is_stop(&f->instrs[i])) continue;
        for (; block <= lint->cfg->block_of[i]; block++) {
            all->stops.first[block] = count;
            all->first[block] = changes;
        }
        all->stops.at[count++] = i;
        if (!all->stops.changes[i]) continue;
        all->order[changes++] = i;
        note_written(lint, all, i);
    }
    for (; block <= lint->cfg->count; block++) {
        all->stops.first[block] = count;
        all->first[block] = changes;
    }
}

void path_conditions_build(struct lint *lint)
{
    enum { ANSWERS_AT_FIRST = 256 };
    struct path_conditions *all = arena_alloc(lint->arena, 1, sizeof *all);
    all->matters = arena_alloc(lint->arena, lint->function->reg_count + 1, sizeof(bool));
    all->stops.changes = arena_alloc(lint->arena, lint->function->count + 1, sizeof(bool));
    all->order = arena_room(lint->arena, lint->function->count, sizeof *all->order);
    all->first = arena_room(lint->arena, lint->cfg->count + 1, sizeof *all->first);
    all->stops.at = arena_room(lint->arena, lint->function->count, sizeof *all->stops.at);
    all->stops.first = arena_room(lint->arena, lint->cfg->count + 1, sizeof *all->stops.first);
    all->written = arena_alloc(lint->arena, lint->cfg->count, sizeof *all->written);
    all->answer_cap = ANSWERS_AT_FIRST;
    all->answers = mem_zalloc(all->answer_cap, sizeof *all->answers);
    all->text_rows = values_exprs(lint->subject)->rows.count;
    find_matters(lint, all);
    list_stops(lint, all);
    all->live = guard_reach_build(lint, &all->stops, all->matters);
    all->roots = root_reach_build(lint, &all->stops);
    lint->conditions = all;
}

void path_conditions_free(struct path_conditions *all)
{
    intern_free(&all->numbers);
    vec_free(&all->sets);
    vec_free(&all->bases);
    mem_free(all->answers);
}

const struct path_stops *path_condition_stops(const struct lint *lint)
{
    return &lint->conditions->stops;
}

bool path_condition_changes(const struct lint *lint, uint32_t instr)
{
    return lint->conditions->stops.changes[instr];
}

bool path_condition_tells(const struct lint *lint, uint32_t block, uint32_t later)
{
    return lint->conditions->written[block] & lint->conditions->live[later];
}

/* ---- numbers of sets ---- */

static uint64_t bits_of_codes(const struct condition *at, uint32_t count)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i++) bits |= 1ULL << condition_code(at[i]) % 64;
    return bits;
}

struct path_condition path_condition_of(const struct lint *lint, const struct condition_set *set)
{
    struct path_conditions *all = lint->conditions;
    struct condition sorted[CONDITIONS_MAX];
    lint_spend(lint, set->count + 1);
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t code = condition_code(set->at[i]), k = i;
        for (; k && condition_code(sorted[k - 1]) > code; k--) sorted[k] = sorted[k - 1];
        sorted[k] = set->at[i];
    }
    struct str bytes = {(const char *)sorted, set->count * sizeof *sorted};
    uint32_t number = intern_find(&all->numbers, 0, bytes);
    if (number == INTERN_NONE) {
        struct condition *kept = arena_room(lint->arena, set->count + 1, sizeof *kept);
        memcpy(kept, sorted, bytes.n);
        bytes.p = (const char *)kept;
        number = intern_add(&all->numbers, 0, bytes);
        vec_push(&all->sets, ((struct known){bits_of_codes(kept, set->count), set->count, kept}));
    }
    return (struct path_condition){number, set->lost};
}

uint64_t path_condition_bits(const struct lint *lint, uint32_t set)
{
    return lint->conditions->sets.at[set].bits;
}

bool path_condition_has(const struct lint *lint, uint32_t set, uint32_t fewer)
{
    const struct known *all = &lint->conditions->sets.at[set];
    const struct known *some = &lint->conditions->sets.at[fewer];
    uint32_t k = 0;
    if (some->count > all->count) return false;
    for (uint32_t i = 0; i < all->count && k < some->count; i++)
        k += condition_code(all->at[i]) == condition_code(some->at[k]);
    return k == some->count;
}

struct condition_set path_condition_set(const struct lint *lint, struct path_condition condition)
{
    const struct known *known = &lint->conditions->sets.at[condition.set];
    struct condition_set set; /* what is behind the last condition is not read */
    set.count = known->count;
    set.lost = condition.lost;
    memcpy(set.at, known->at, known->count * sizeof *set.at);
    return set;
}

/* ---- results of steps ---- */

static struct answer *condition_slot_of(const struct path_conditions *all, uint64_t key)
{
    uint64_t hash = key * 0x9E3779B97F4A7C15ULL;
    uint32_t mask = all->answer_cap - 1, at = (uint32_t)(hash >> 32) & mask;
    while (all->answers[at].key && all->answers[at].key != key) at = (at + 1) & mask;
    return &all->answers[at];
}

static void grow(struct path_conditions *all)
{
    struct path_conditions more = *all;
    more.answer_cap = all->answer_cap * 2;
    more.answers = mem_zalloc(more.answer_cap, sizeof *more.answers);
    for (uint32_t i = 0; i < all->answer_cap; i++)
        if (all->answers[i].key) *condition_slot_of(&more, all->answers[i].key) = all->answers[i];
    mem_free(all->answers);
    *all = more;
}

static uint64_t key_of(enum step step, uint32_t set, uint32_t place)
{
    return (uint64_t)set << 35 | (uint64_t)place << 3 | ((uint64_t)step + 1);
}

/* NULL: not computed yet. */
static const struct answer *find_answer(const struct lint *lint, uint64_t key)
{
    const struct answer *answer = condition_slot_of(lint->conditions, key);
    lint_spend(lint, 1);
    return answer->key ? answer : NULL;
}

static void keep_answer(const struct lint *lint, uint64_t key, uint32_t set, bool lost)
{
    enum { UNITS = 10 }; /* the cost of computing the result */
    struct path_conditions *all = lint->conditions;
    lint_spend(lint, UNITS);
    if (all->answer_count * 2 >= all->answer_cap) grow(all);
    struct answer *answer = condition_slot_of(all, key);
    if (!answer->key) all->answer_count++;
    *answer = (struct answer){key, set & CONTRADICTION, lost};
}

/* Sets the condition to the result of a step. False if the step contradicts it. */
static bool take(const struct answer *answer, struct path_condition *condition)
{
    if (answer->set == CONTRADICTION) return false;
    *condition = (struct path_condition){answer->set, condition->lost || answer->lost};
    return true;
}

/* Stores the result of a step, and sets the condition to it. False if the step is impossible. */
static bool settle(const struct lint *lint, uint64_t key, bool possible,
                   const struct condition_set *set, struct path_condition *condition)
{
    struct path_condition now = {CONTRADICTION, false};
    if (possible) now = path_condition_of(lint, set);
    keep_answer(lint, key, now.set, now.lost);
    struct answer answer = {key, now.set & CONTRADICTION, now.lost};
    return take(&answer, condition);
}

static struct condition_set condition_set_of(const struct lint *lint, uint32_t number)
{
    return path_condition_set(lint, (struct path_condition){number, false});
}

/* ---- steps ---- */

static uint64_t leaves_of(const struct lint *lint, uint32_t base);

static void find_base(const struct lint *lint, uint32_t base)
{
    struct path_conditions *all = lint->conditions;
    const struct expr e = *value_expr(lint->subject, (struct value){base, 0});
    struct base found = {0, root_reach_bit(all->roots, e.root), true, e.fixed};
    if (!e.fixed) {
        if (e.kind == EXPR_REG) found.leaves |= leaf_bit(e.web);
        if (e.kind == EXPR_LOADED) found.leaves |= leaf_bit(e.instr);
        for (int i = 0; i < 3; i++) found.leaves |= leaves_of(lint, e.a[i].base);
    }
    while (all->bases.count <= base) vec_push(&all->bases, (struct base){0});
    all->bases.at[base] = found;
}

/* Valid until the next call. */
static inline const struct base *base_at(const struct lint *lint, uint32_t base)
{
    const struct path_conditions *all = lint->conditions;
    if (base >= all->bases.count || !all->bases.at[base].known) find_base(lint, base);
    return &all->bases.at[base];
}

/* A bit for each instruction or register on which the base depends and whose value may change;
 * several share a bit. */
static uint64_t leaves_of(const struct lint *lint, uint32_t base)
{
    return base_at(lint, base)->leaves;
}

uint64_t path_condition_leaves(const struct lint *lint, struct value v)
{
    return value_is_none(v) ? 0 : leaves_of(lint, v.base);
}

static bool depends(const struct lint *lint, uint32_t base, uint32_t instr, reg_id reg)
{
    const struct expr *e = value_expr(lint->subject, (struct value){base, 0});
    if (!base || e->fixed) return false;
    if (e->kind == EXPR_REG && e->web == reg) return true;
    if (e->kind == EXPR_LOADED && e->instr == instr) return true;
    for (int i = 0; i < 3; i++)
        if (depends(lint, e->a[i].base, instr, reg)) return true;
    return false;
}

static void forget(const struct lint *lint, struct condition_set *set, uint32_t instr, reg_id reg)
{
    const uint64_t changed = leaf_bit(reg) | leaf_bit(instr);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t base = set->at[i].base;
        bool may_depend = leaves_of(lint, base) & changed;
        if (!may_depend || !depends(lint, base, instr, reg)) set->at[kept++] = set->at[i];
    }
    set->count = kept;
}

/* If v is one of two values that a predicate selects, and the predicate is known, returns the
 * selected value. */
static struct value chosen_of(const struct lint *lint, const struct condition_set *set,
                              struct value v)
{
    if (value_is_none(v) || value_is_constant(v)) return v;
    const struct expr e = *value_expr(lint->subject, v);
    enum truth truth =
        e.kind == EXPR_SELECT ? condition_truth(lint->subject, set, e.a[2]) : TRUTH_UNKNOWN;
    if (truth == TRUTH_UNKNOWN) return v;
    struct value chosen = e.a[truth == TRUTH_YES ? 0 : 1];
    return (struct value){chosen.base, plus_wrapped(chosen.offset, v.offset)};
}

/* Adds the predicate if the text has it: otherwise each round of a loop would have conditions of
 * its own. */
static void learn_predicate(const struct lint *lint, struct condition_set *set,
                            struct value predicate, bool holds)
{
    if (!value_is_none(predicate) && predicate.base < lint->conditions->text_rows)
        (void)condition_add(lint->subject, set, predicate, holds);
}

/* Adds what follows from a condition on the register r, which instruction i has just made greater
 * by `by`: if r was not n, or less than n, r + 1 is not n + 1. now: the value of r. */
static void learn_growth(const struct lint *lint, struct condition_set *set,
                         const struct condition *before, uint32_t i, struct value now, int64_t by)
{
    const struct expr e = *value_expr(lint->subject, (struct value){before->base, 0});
    bool above = e.a[1].base == now.base; /* n < r */
    struct value n = above ? e.a[0] : e.a[1], r = above ? e.a[1] : e.a[0];
    bool order = (e.kind == EXPR_LT_S || e.kind == EXPR_LT_U) && before->holds;
    if (r.base != now.base || depends(lint, n.base, i, value_expr(lint->subject, now)->web)) return;
    n.offset = plus_wrapped(minus_wrapped(n.offset, r.offset), by);
    if (e.kind == EXPR_EQ || order)
        learn_predicate(lint, set, value_equal(lint->subject, now, n), before->holds && !order);
    if (order && e.kind == EXPR_LT_S && above == (by < 0)) /* otherwise it might overflow */
        learn_predicate(
            lint, set,
            exprs_compare(values_exprs(lint->subject), EXPR_LT_S, above ? n : now, above ? now : n),
            true);
}

/* Replaces the conditions on a register that instruction i writes: the new value may be a constant,
 * the old one plus a constant, or a predicate whose truth is known. */
static void learn(const struct lint *lint, struct condition_set *set, uint32_t i, reg_id reg)
{
    uint32_t last;
    struct value now = value_of(lint->subject, reg), computed = VALUE_NONE;
    bool several = value_definitions(lint->subject, reg, &last) > 1;
    bool plain = lint->function->instrs[i].guard == REG_NONE &&
                 lint->function->uses[lint->function->instrs[i].first_use].reg == reg;
    if (several && plain) computed = chosen_of(lint, set, value_computed(lint->subject, i));
    enum truth truth = condition_truth(lint->subject, set, computed);
    struct condition_set before = *set;
    forget(lint, set, i, reg);
    if (value_is_none(computed) || value_expr(lint->subject, now)->kind != EXPR_REG) return;
    if (compute_read(lint->subject, i)->predicate) {
        if (truth != TRUTH_UNKNOWN)
            (void)condition_add(lint->subject, set, now, truth == TRUTH_YES);
    } else if (value_is_constant(computed)) {
        (void)condition_add(lint->subject, set, value_equal(lint->subject, now, computed), true);
    } else if (computed.base == now.base) {
        for (uint32_t k = 0; k < before.count; k++)
            learn_growth(lint, set, &before.at[k], i, now, computed.offset);
    }
}

static void run(const struct lint *lint, struct condition_set *set, uint32_t i)
{
    const struct instr *instr = &lint->function->instrs[i];
    for (uint32_t u = 0; u < instr->use_count; u++) {
        const struct use *use = &lint->function->uses[instr->first_use + u];
        if (use->write && lint->conditions->matters[use->reg]) learn(lint, set, i, use->reg);
    }
}

void path_condition_run(const struct lint *lint, struct path_condition *condition, uint32_t instr)
{
    if (!lint->conditions->stops.changes[instr]) return;
    uint64_t key = key_of(STEP_RUN, condition->set, instr);
    const struct answer *answer = find_answer(lint, key);
    if (answer) {
        (void)take(answer, condition);
        return;
    }
    struct condition_set set = condition_set_of(lint, condition->set);
    run(lint, &set, instr);
    (void)settle(lint, key, true, &set, condition);
}

/* Removes conditions on which no guard at the block or after it depends. This keeps the number of
 * sets low. */
static void keep_live(const struct lint *lint, struct condition_set *set, uint32_t block)
{
    const struct path_conditions *all = lint->conditions;
    const uint64_t *asked = root_reach_at(all->roots, block), live = all->live[block];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct base *base = base_at(lint, set->at[i].base);
        if (root_reach_has(asked, base->bit) && (base->fixed || base->leaves & live))
            set->at[kept++] = set->at[i];
    }
    set->count = kept;
}

bool path_condition_follow(const struct lint *lint, struct path_condition *condition,
                           uint32_t block, uint32_t edge)
{
    uint64_t key = key_of(STEP_FOLLOW, condition->set, edge);
    const struct answer *answer = find_answer(lint, key);
    if (answer) return take(answer, condition);
    struct condition_set set = condition_set_of(lint, condition->set);
    uint32_t succ = lint->cfg->succs[edge], before = set.count;
    bool possible = conditions_on_edge(lint->subject, block, succ, &set);
    bool added = set.count != before || set.lost;
    before = set.count;
    keep_live(lint, &set, succ);
    if (!possible || added || set.count != before)
        return settle(lint, key, possible, &set, condition);
    lint_spend(lint, set.count + 1);
    keep_answer(lint, key, condition->set, false); /* the step changes nothing */
    return true;
}

void path_condition_join(const struct lint *lint, struct path_condition *condition, uint32_t block,
                         uint32_t join)
{
    uint64_t key = key_of(STEP_JOIN, condition->set, block);
    const struct answer *answer = find_answer(lint, key);
    if (answer) {
        (void)take(answer, condition);
        return;
    }
    struct condition_set set = condition_set_of(lint, condition->set);
    keep_live(lint, &set, join);
    (void)settle(lint, key, true, &set, condition);
}

enum truth path_condition_guard(const struct lint *lint, struct path_condition condition,
                                uint32_t instr)
{
    if (lint->function->instrs[instr].guard == REG_NONE) return TRUTH_YES;
    uint64_t key = key_of(STEP_GUARD, condition.set, instr);
    const struct answer *answer = find_answer(lint, key);
    if (answer) return (enum truth)answer->set;
    struct condition_set set = condition_set_of(lint, condition.set);
    enum truth truth = condition_truth(lint->subject, &set, value_of_guard(lint->subject, instr));
    keep_answer(lint, key, truth, false);
    return truth;
}

bool path_condition_assume(const struct lint *lint, struct path_condition *condition,
                           uint32_t instr, bool holds)
{
    uint64_t key = key_of(holds ? STEP_HOLDS : STEP_FAILS, condition->set, instr);
    const struct answer *answer = find_answer(lint, key);
    if (answer) return take(answer, condition);
    struct condition_set set = condition_set_of(lint, condition->set);
    struct value guard = value_of_guard(lint->subject, instr);
    bool possible = condition_add(lint->subject, &set, guard, holds);
    return settle(lint, key, possible, &set, condition);
}

void path_condition_keep_fixed(const struct lint *lint, struct path_condition *condition)
{
    uint64_t key = key_of(STEP_FIXED, condition->set, 0);
    const struct answer *answer = find_answer(lint, key);
    if (answer) {
        (void)take(answer, condition);
        return;
    }
    struct condition_set set = condition_set_of(lint, condition->set);
    conditions_keep_fixed(lint->subject, &set);
    (void)settle(lint, key, true, &set, condition);
}

struct path_condition path_condition_of_block(const struct lint *lint, uint32_t block)
{
    return path_condition_of(lint, conditions_at(lint->subject, block));
}

/* ---- the beginning of a walk ---- */

/* The only predecessor other than the block itself, which may be a loop that waits. UINT32_MAX:
 * there are several, or none. */
static uint32_t only_block_before(const struct cfg *cfg, uint32_t block)
{
    uint32_t found = UINT32_MAX;
    const struct block *b = &cfg->blocks[block];
    if (b->pred_count > 2) return UINT32_MAX;
    for (uint32_t i = b->first_pred; i < b->first_pred + b->pred_count; i++) {
        if (cfg->preds[i] == block) continue;
        if (found != UINT32_MAX) return UINT32_MAX;
        found = cfg->preds[i];
    }
    return found;
}

/* The block through which all paths to the block come, if the blocks between them in the text are
 * all that may be on the way. UINT32_MAX: none is found. */
static uint32_t branch_before(const struct cfg *cfg, uint32_t block)
{
    enum { BLOCKS_MAX = 16 };
    uint32_t entry = block;
    for (uint32_t b = block; b == block || b > entry; b--) {
        const struct block *at = &cfg->blocks[b];
        for (uint32_t i = at->first_pred; i < at->first_pred + at->pred_count; i++) {
            if (cfg->preds[i] >= block && cfg->preds[i] != b) return UINT32_MAX;
            if (cfg->preds[i] < entry) entry = cfg->preds[i];
        }
        if (entry == block || block - entry > BLOCKS_MAX) return UINT32_MAX;
    }
    return entry;
}

/* Forgets what the block changes, because it may have been executed before. */
static void forget_changes(const struct lint *lint, struct path_condition *known, uint32_t block)
{
    const struct path_conditions *all = lint->conditions;
    struct condition_set set = path_condition_set(lint, *known);
    for (uint32_t i = all->first[block]; i < all->first[block + 1]; i++) {
        const struct instr *instr = &lint->function->instrs[all->order[i]];
        for (uint32_t u = 0; u < instr->use_count; u++) {
            const struct use *use = &lint->function->uses[instr->first_use + u];
            if (use->write && all->matters[use->reg]) forget(lint, &set, all->order[i], use->reg);
        }
    }
    *known = path_condition_of(lint, &set);
}

/* Continues from the end of the block `from`, through which all paths to the block `to` come. */
static void go_on(const struct lint *lint, struct path_condition *known, uint32_t from, uint32_t to)
{
    if (only_block_before(lint->cfg, to) == from) {
        struct condition_set on = path_condition_set(lint, *known);
        if (conditions_on_edge(lint->subject, from, to, &on)) *known = path_condition_of(lint, &on);
    } else {
        for (uint32_t b = from + 1; b < to; b++) forget_changes(lint, known, b);
    }
    if (lint->cfg->blocks[to].pred_count > 1) forget_changes(lint, known, to);
}

/* The conditions at the beginning of the block. What all paths to it have in common is followed
 * back for at most BACK_MAX blocks. */
static struct path_condition find_at(const struct lint *lint, uint32_t block)
{
    enum { BACK_MAX = 8 };
    const struct cfg *cfg = lint->cfg;
    const struct path_conditions *all = lint->conditions;
    uint32_t way[BACK_MAX + 1], count = 0;
    struct path_condition known = path_condition_of_block(lint, block);
    way[count++] = block;
    while (count <= BACK_MAX) {
        uint32_t before = only_block_before(cfg, block);
        if (before == UINT32_MAX) before = branch_before(cfg, block);
        if (before == UINT32_MAX) break;
        way[count++] = block = before;
    }
    while (--count) {
        go_on(lint, &known, way[count], way[count - 1]);
        for (uint32_t i = all->first[way[count - 1]];
             count > 1 && i < all->first[way[count - 1] + 1]; i++)
            path_condition_run(lint, &known, all->order[i]);
    }
    return known;
}

/* The index in order of the first instruction of the block at instr or after it. */
static uint32_t place_of_changes(const struct path_conditions *all, uint32_t block, uint32_t instr)
{
    return sorted_find(all->order, all->first[block], all->first[block + 1], instr);
}

struct path_condition path_condition_at(const struct lint *lint, uint32_t instr)
{
    const struct path_conditions *all = lint->conditions;
    uint32_t block = lint->cfg->block_of[instr], first = all->first[block];
    uint32_t end = place_of_changes(all, block, instr), at = end;
    const struct answer *answer = NULL;
    /* The results are stored for the beginning of each block and after each instruction in order.
     */
    while (at > first && !answer)
        answer = find_answer(lint, key_of(STEP_AT, 0, all->order[--at] * 2 + 1));
    at += answer != NULL;
    if (!answer) answer = find_answer(lint, key_of(STEP_AT, 0, block * 2));
    struct path_condition known;
    if (answer) {
        known = (struct path_condition){answer->set, answer->lost};
    } else {
        known = find_at(lint, block);
        keep_answer(lint, key_of(STEP_AT, 0, block * 2), known.set, known.lost);
    }
    for (; at < end; at++) {
        path_condition_run(lint, &known, all->order[at]);
        keep_answer(lint, key_of(STEP_AT, 0, all->order[at] * 2 + 1), known.set, known.lost);
    }
    return known;
}
