/* Computes which conditions hold at each block, and compares sets of conditions. A forward dataflow
 * analysis: a condition holds at a block if it holds on all paths to it. See conditions.h. */
#include "value/conditions.h"

#include "flow/rounds.h"
#include "value/constants.h"
#include "value/expr.h"
#include "value/instruction.h"
#include "value/numbers.h"

struct conditions {
    struct condition_set *at; /* by block */
    bool *reached;
    const bool *dead;           /* by index into cfg->succs; NULL: no edge is dead */
    struct VEC(uint32_t) exits; /* exits with a guard: after such an exit the guard is false */
};

/* ---- implications ---- */

static enum truth opposite_truth(enum truth truth)
{
    return truth == TRUTH_UNKNOWN ? truth : truth == TRUTH_YES ? TRUTH_NO : TRUTH_YES;
}

/* The truth of x == c for a constant c. */
static enum truth truth_of_equality(const struct numbers *n, struct value x, int64_t c)
{
    int64_t number = minus_wrapped(c, x.offset);
    if (!numbers_have(n, number)) return TRUTH_NO;
    return n->low == n->high ? TRUTH_YES : TRUTH_UNKNOWN;
}

/* The truth of x < c for a constant c, or of x <= c. */
static enum truth truth_of_order(const struct subject *subject, const struct numbers *n,
                                 const struct expr *e, struct value x, int64_t c, bool or_equal)
{
    int64_t edge = minus_wrapped(c, x.offset), low = INT64_MIN;
    bool wraps = e->kind == EXPR_LT_U && x.offset;
    if (!or_equal) edge = minus_wrapped(edge, 1);
    if (wraps && x.offset < 0) low = minus_wrapped(0, x.offset); /* x - 4 <= 1: x is 4 or 5 */
    if (wraps && (c < 0 || edge > UINT32_MAX)) return TRUTH_UNKNOWN;
    if (n->low >= low && n->high <= edge) return TRUTH_YES;
    if (n->high < low) return TRUTH_NO;
    /* x + 4 <= 5 also if x is 0xffffffff */
    bool may_wrap = wraps && x.offset > 0 && !value_expr(subject, x)->not_negative;
    return n->low > edge && !may_wrap ? TRUTH_NO : TRUTH_UNKNOWN;
}

/* The truth of a comparison of base + offset with a constant. */
static enum truth truth_of_comparison(const struct subject *subject,
                                      const struct condition_set *set, const struct expr *e)
{
    bool swapped = !e->a[0].base;
    struct value x = swapped ? e->a[1] : e->a[0], c = swapped ? e->a[0] : e->a[1];
    enum expr_kind order = e->kind == EXPR_EQ ? EXPR_LT_S : (enum expr_kind)e->kind;
    if (c.base || !x.base) return TRUTH_UNKNOWN;
    struct numbers n;
    numbers_find(subject, set, x.base, order, &n);
    if (e->kind == EXPR_EQ) return truth_of_equality(&n, x, c.offset);
    enum truth truth = truth_of_order(subject, &n, e, x, c.offset, swapped);
    return swapped ? opposite_truth(truth) : truth; /* c < x is the opposite of x <= c */
}

/* Of a predicate that is computed from others by and and or, at most so many are examined: behind
 * them nothing is known. */
enum { PREDICATES_MAX = 4 * CONDITIONS_MAX };

/* What the set says about the base itself. */
static enum truth truth_in_set(const struct condition_set *set, uint32_t base)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->at[i].base == base) return set->at[i].holds ? TRUTH_YES : TRUTH_NO;
    return TRUTH_UNKNOWN;
}

/* The truth of the and or the or of two predicates. */
static enum truth truth_of_two(unsigned kind, enum truth a, enum truth b)
{
    enum truth decides = kind == EXPR_AND ? TRUTH_NO : TRUTH_YES;
    if (a == decides || b == decides) return decides;
    return a == b ? a : TRUTH_UNKNOWN;
}

/* As condition_truth. left: how many predicates may still be examined. */
static enum truth truth_within(const struct subject *subject, const struct condition_set *set,
                               struct value predicate, uint32_t *left)
{
    subject_spend(subject, set->count + 1);
    if (value_is_none(predicate)) return TRUTH_UNKNOWN;
    if (!predicate.base) return predicate.offset ? TRUTH_YES : TRUTH_NO;
    if (!*left) return TRUTH_UNKNOWN;
    --*left;
    const struct expr *e = value_expr(subject, (struct value){predicate.base, 0});
    enum truth truth = truth_in_set(set, predicate.base);
    if (truth == TRUTH_UNKNOWN && (e->kind == EXPR_AND || e->kind == EXPR_OR)) {
        enum truth first = truth_within(subject, set, e->a[0], left);
        truth = truth_of_two(e->kind, first, truth_within(subject, set, e->a[1], left));
    } else if (truth == TRUTH_UNKNOWN &&
               (e->kind == EXPR_EQ || e->kind == EXPR_LT_S || e->kind == EXPR_LT_U)) {
        truth = truth_of_comparison(subject, set, e);
    }
    return predicate.offset & 1 ? opposite_truth(truth) : truth;
}

enum truth condition_truth(const struct subject *subject, const struct condition_set *set,
                           struct value predicate)
{
    uint32_t left = PREDICATES_MAX;
    return truth_within(subject, set, predicate, &left);
}

/* A predicate that is added. */
struct added {
    struct value predicate, second; /* second: its second operand, if both */
    unsigned kind;                  /* enum expr_kind */
    bool holds;                     /* of its base */
    bool both;                      /* its operands are added, too */
    enum truth truth;
};

static struct added added_of(const struct subject *subject, struct value predicate, bool holds)
{
    struct added a = {predicate, VALUE_NONE,   0, holds != (predicate.offset & 1),
                      false,     TRUTH_UNKNOWN};
    if (value_is_none(predicate) || !predicate.base) return a;
    const struct expr *e = value_expr(subject, (struct value){predicate.base, 0});
    a.kind = e->kind;
    a.both = (e->kind == EXPR_AND && a.holds) || (e->kind == EXPR_OR && !a.holds);
    if (a.both) a.second = e->a[1];
    return a;
}

/* Sets the chain of first operands from the predicate on, and their truth: of all in as many steps
 * as of the predicate alone. Returns their number. */
static uint32_t find_chain(const struct subject *subject, const struct condition_set *set,
                           struct value predicate, bool holds,
                           struct added chain[static CONDITIONS_MAX])
{
    uint32_t count = 1, left = PREDICATES_MAX;
    chain[0] = added_of(subject, predicate, holds);
    while (chain[count - 1].both && count < CONDITIONS_MAX &&
           truth_in_set(set, chain[count - 1].predicate.base) == TRUTH_UNKNOWN) {
        uint32_t base = chain[count - 1].predicate.base;
        struct value first = value_expr(subject, (struct value){base, 0})->a[0];
        chain[count] = added_of(subject, first, chain[count - 1].holds);
        count++;
    }
    chain[count - 1].truth = truth_within(subject, set, chain[count - 1].predicate, &left);
    for (uint32_t i = count - 1; i-- > 0;) {
        enum truth second = truth_within(subject, set, chain[i].second, &left);
        enum truth truth = truth_of_two(chain[i].kind, chain[i + 1].truth, second);
        chain[i].truth = chain[i].predicate.offset & 1 ? opposite_truth(truth) : truth;
    }
    return count;
}

/* Adds one condition without what follows from it. */
static void set_add_one(struct condition_set *set, uint32_t base, bool holds)
{
    if (set->count < CONDITIONS_MAX)
        set->at[set->count++] = condition_of(base, holds);
    else
        set->lost = true;
}

/* As condition_add, for a predicate whose operands are not added. */
static bool add_alone(const struct subject *subject, struct condition_set *set,
                      struct value predicate, bool holds)
{
    uint32_t left = PREDICATES_MAX;
    enum truth truth = truth_within(subject, set, predicate, &left);
    if (truth != TRUTH_UNKNOWN) return truth == (holds ? TRUTH_YES : TRUTH_NO);
    set_add_one(set, predicate.base, holds != (predicate.offset & 1));
    return true;
}

/* As condition_add. left: how many chains may still be added. */
static bool add_within(const struct subject *subject, struct condition_set *set,
                       struct value predicate, bool holds, uint32_t *left)
{
    struct added chain[CONDITIONS_MAX];
    if (value_is_none(predicate)) return true;
    set->lost |= !*left;
    if (!*left) return true;
    --*left;
    if (!added_of(subject, predicate, holds).both) return add_alone(subject, set, predicate, holds);
    uint32_t count = find_chain(subject, set, predicate, holds, chain), i = 0;
    for (; i < count && chain[i].truth == TRUTH_UNKNOWN; i++) {
        if (value_is_none(chain[i].predicate)) break;
        set_add_one(set, chain[i].predicate.base, chain[i].holds);
    }
    if (i < count && chain[i].truth != TRUTH_UNKNOWN) {
        bool is_true = chain[i].holds != (chain[i].predicate.offset & 1);
        if (chain[i].truth != (is_true ? TRUTH_YES : TRUTH_NO)) return false;
    }
    if (i == CONDITIONS_MAX && chain[i - 1].both) {
        set->lost = true; /* the chain is longer */
        i--;
    }
    while (i-- > 0)
        if (chain[i].both && !add_within(subject, set, chain[i].second, chain[i].holds, left))
            return false;
    return true;
}

bool condition_add(const struct subject *subject, struct condition_set *set, struct value predicate,
                   bool holds)
{
    uint32_t left = PREDICATES_MAX;
    return add_within(subject, set, predicate, holds, &left);
}

/* ---- dataflow ---- */

void conditions_keep_fixed(const struct subject *subject, struct condition_set *set)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->count; i++)
        if (value_expr(subject, (struct value){set->at[i].base, 0})->fixed)
            set->at[kept++] = set->at[i];
    set->count = kept;
}

/* If only one brx uses a table, its i-th target is reached with index i. */
static bool add_index(const struct subject *subject, uint32_t table, uint32_t succ,
                      struct condition_set *set)
{
    const struct block *block = &subject->cfg->blocks[table];
    uint32_t found = UINT32_MAX;
    if (block->pred_count != 1) return true;
    for (uint32_t i = 0; i < block->succ_count; i++) {
        if (subject->cfg->succs[block->first_succ + i] != succ) continue;
        if (found != UINT32_MAX) return true;
        found = i;
    }
    uint32_t brx = subject->cfg->blocks[subject->cfg->preds[block->first_pred]].end - 1;
    struct value index = value_of_operand(subject, brx, 0);
    return condition_add(subject, set, value_equal(subject, index, exprs_constant(found)), true);
}

/* The index in exits of the first exit at or after instr. */
static uint32_t exit_behind(const struct conditions *conditions, uint32_t instr)
{
    uint32_t low = 0, high = conditions->exits.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (conditions->exits.at[middle] < instr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds that the guards of the block's exits before instruction `end` were false. */
static bool add_exits(const struct subject *subject, uint32_t block, uint32_t end,
                      struct condition_set *set)
{
    const struct conditions *conditions = subject->conditions;
    uint32_t i = exit_behind(conditions, subject->cfg->blocks[block].first);
    for (; i < conditions->exits.count && conditions->exits.at[i] < end; i++) {
        struct value guard = value_of_guard(subject, conditions->exits.at[i]);
        if (value_is_fixed(subject, guard) && !condition_add(subject, set, guard, false))
            return false;
    }
    return true;
}

bool conditions_take(const struct subject *subject, uint32_t from, uint32_t succ)
{
    const struct block *block = &subject->cfg->blocks[from];
    const bool *dead = subject->conditions->dead;
    if (!dead || block->succ_count != 2) return true;
    for (uint32_t n = block->first_succ; n < block->first_succ + 2; n++)
        if (subject->cfg->succs[n] == succ && !dead[n]) return true;
    return false;
}

bool conditions_on_edge(const struct subject *subject, uint32_t from, uint32_t succ,
                        struct condition_set *set)
{
    const struct block *block = &subject->cfg->blocks[from];
    if (block->first == block->end) return add_index(subject, from, succ, set);
    if (!conditions_take(subject, from, succ)) return false;
    uint32_t last = block->end - 1;
    const struct instr *instr = &subject->function->instrs[last];
    bool branch = instr->opcode->traits & (OPCODE_BRANCH | OPCODE_TABLE_BRANCH);
    if (subject->conditions->exits.count && !add_exits(subject, from, block->end, set))
        return false;
    if (instr->guard == REG_NONE || !branch) return true;
    uint32_t next =
        last + 1 < subject->function->count ? subject->cfg->block_of[last + 1] : UINT32_MAX;
    if (block->succ_count == 2 &&
        subject->cfg->succs[block->first_succ] == subject->cfg->succs[block->first_succ + 1])
        return true;
    bool taken = subject->cfg->succs[block->first_succ] == succ;
    if (!taken && succ != next) return true;
    return condition_add(subject, set, value_of_guard(subject, last), taken);
}

static void intersect_sets(struct condition_set *set, const struct condition_set *other)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->count; i++)
        for (uint32_t k = 0; k < other->count; k++)
            if (set->at[i].base == other->at[k].base && set->at[i].holds == other->at[k].holds) {
                set->at[kept++] = set->at[i];
                break;
            }
    set->count = kept;
}

/* Joins set into the block. True if fewer conditions hold than before. */
static bool conditions_join(struct conditions *conditions, uint32_t block,
                            const struct condition_set *set)
{
    struct condition_set *at = &conditions->at[block];
    uint32_t before = at->count;
    if (!conditions->reached[block]) {
        conditions->reached[block] = true;
        *at = *set;
        return true;
    }
    intersect_sets(at, set);
    return at->count != before;
}

void conditions_build(struct subject *subject)
{
    const struct cfg *cfg = subject->cfg;
    struct conditions *conditions = arena_alloc(subject->arena, 1, sizeof *conditions);
    struct rounds rounds;
    uint32_t block;
    conditions->at = mem_alloc(cfg->count * sizeof *conditions->at);
    for (uint32_t b = 0; b < cfg->count; b++) {
        conditions->at[b].count = 0; /* conditions behind the last one are not read */
        conditions->at[b].lost = false;
    }
    conditions->reached = arena_alloc(subject->arena, cfg->count, sizeof *conditions->reached);
    subject->conditions = conditions;
    conditions->dead = constants_dead_edges(subject);
    for (uint32_t n = 0; n < subject->acting_count; n++) {
        uint32_t i = subject->acting[n];
        const struct instr *instr = &subject->function->instrs[i];
        if (instr->opcode->effect == EFFECT_EXIT && instr->guard != REG_NONE)
            vec_push(&conditions->exits, i);
    }
    rounds_init(&rounds, cfg->count, false);
    conditions->reached[0] = true;
    rounds_want(&rounds, 0);
    while (rounds_next(&rounds, &block)) {
        const struct block *from = &cfg->blocks[block];
        for (uint32_t i = 0; i < from->succ_count; i++) {
            struct condition_set set = conditions->at[block];
            subject_spend(subject, set.count + 1);
            uint32_t succ = cfg->succs[from->first_succ + i];
            if (!conditions_on_edge(subject, block, succ, &set)) continue;
            conditions_keep_fixed(subject, &set);
            if (conditions_join(conditions, succ, &set)) rounds_want(&rounds, succ);
        }
    }
    rounds_free(&rounds);
}

void conditions_free(struct conditions *conditions)
{
    mem_free(conditions->at);
    vec_free(&conditions->exits);
}

const struct condition_set *conditions_at(const struct subject *subject, uint32_t block)
{
    return &subject->conditions->at[block];
}

bool conditions_reach(const struct subject *subject, uint32_t block)
{
    return subject->conditions->reached[block];
}

bool conditions_are_of_block(const struct subject *subject, uint32_t instr)
{
    const struct conditions *conditions = subject->conditions;
    if (subject->function->instrs[instr].guard != REG_NONE) return false;
    if (!conditions->exits.count) return true;
    uint32_t first = subject->cfg->blocks[subject->cfg->block_of[instr]].first;
    uint32_t i = exit_behind(conditions, first);
    return i == conditions->exits.count || conditions->exits.at[i] >= instr;
}

struct condition_set conditions_of(const struct subject *subject, uint32_t instr)
{
    struct condition_set set = *conditions_at(subject, subject->cfg->block_of[instr]);
    struct value guard = value_of_guard(subject, instr);
    subject_spend(subject, set.count + 1);
    (void)add_exits(subject, subject->cfg->block_of[instr], instr, &set);
    if (value_is_fixed(subject, guard)) (void)condition_add(subject, &set, guard, true);
    return set;
}

/* ---- comparisons of two sets ---- */

bool conditions_same(const struct condition_set *a, const struct condition_set *b)
{
    if (a->count != b->count || a->lost != b->lost) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->at[i].base != b->at[i].base || a->at[i].holds != b->at[i].holds) return false;
    return true;
}

bool conditions_exclude(const struct subject *subject, const struct condition_set *a,
                        const struct condition_set *b)
{
    if (!a->count || !b->count) return false;
    struct condition_set both = *a;
    for (uint32_t i = 0; i < b->count; i++)
        if (!condition_add(subject, &both, (struct value){b->at[i].base, 0}, b->at[i].holds))
            return true;
    return false;
}

/* Of which threads all conditions that are kept say the same. */
enum shared { SHARED_BY_BLOCK, SHARED_BY_WARP, SHARED_BY_NONE };

/* The conditions that are the same for all threads of a CTA; or those that depend only on the warp;
 * or those that depend only on the thread number. */
static struct condition_set shared_by(const struct subject *subject,
                                      const struct condition_set *set, enum shared shared)
{
    struct condition_set kept = {0};
    for (uint32_t i = 0; i < set->count; i++) {
        const struct expr *e = value_expr(subject, (struct value){set->at[i].base, 0});
        bool keeps = shared == SHARED_BY_BLOCK  ? e->of_block
                     : shared == SHARED_BY_WARP ? expr_is_of_warp(e)
                                                : e->of_thread && !e->of_block;
        if (e->fixed && keeps) kept.at[kept.count++] = set->at[i];
    }
    return kept;
}

/* One CTA may meet both sets, but by the conditions that `shared` names, they exclude each other.
 */
static bool are_of_others(const struct subject *subject, const struct condition_set *a,
                          const struct condition_set *b, enum shared shared)
{
    subject_spend(subject, (uint64_t)a->count + b->count + 1);
    if (!a->count || !b->count) return false;
    struct condition_set x = shared_by(subject, a, SHARED_BY_BLOCK),
                         y = shared_by(subject, b, SHARED_BY_BLOCK);
    if (conditions_exclude(subject, &x, &y)) return false;
    x = shared_by(subject, a, shared);
    y = shared_by(subject, b, shared);
    return conditions_exclude(subject, &x, &y);
}

bool conditions_other_warp(const struct subject *subject, const struct condition_set *a,
                           const struct condition_set *b)
{
    return are_of_others(subject, a, b, SHARED_BY_WARP);
}

bool conditions_other_thread(const struct subject *subject, const struct condition_set *a,
                             const struct condition_set *b)
{
    return are_of_others(subject, a, b, SHARED_BY_NONE);
}

bool conditions_one_lane(const struct subject *subject, const struct condition_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const struct expr *e = value_expr(subject, (struct value){set->at[i].base, 0});
        if (!set->at[i].holds) continue;
        if (e->kind == EXPR_ELECTED) return true;
        if (e->kind == EXPR_EQ && e->spread == SPREAD_LANES &&
            value_expr(subject, e->a[0])->counts_lanes)
            return true;
    }
    return false;
}
