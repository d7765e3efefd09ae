/* Keeps each distinct expression in one row, with properties that follow from its arguments. See
 * expr.h. */
#include "value/expr.h"

void exprs_init(struct exprs *exprs)
{
    enum { ROWS_AT_FIRST = 512, SLOTS_AT_FIRST = 2 * ROWS_AT_FIRST };
    *exprs = (struct exprs){.slot_count = SLOTS_AT_FIRST};
    vec_reserve(&exprs->rows, ROWS_AT_FIRST);
    exprs->slots = mem_zalloc(exprs->slot_count, sizeof *exprs->slots);
    vec_push(&exprs->rows,
             (struct expr){.fixed = true, .of_block = true, .of_thread = true, .zero_bits = 63});
}

void exprs_free(struct exprs *exprs)
{
    vec_free(&exprs->rows);
    mem_free(exprs->slots);
}

static uint8_t trailing_zeros(int64_t constant)
{
    return constant ? (uint8_t)__builtin_ctzll((unsigned long long)constant) : 63;
}

/* The number of low bits of the value that are 0. */
static uint8_t zero_bits(const struct exprs *exprs, struct value v)
{
    uint8_t base = exprs_row(exprs, v)->zero_bits, own = trailing_zeros(v.offset);
    return base < own ? base : own;
}

/* ---- rows ---- */

/* The size of the expression as a tree. */
static uint32_t expr_size(const struct exprs *exprs, const struct expr *e)
{
    uint32_t size = 1;
    for (int i = 0; i < 3; i++) size += exprs_row(exprs, e->a[i])->size;
    return size;
}

static bool is_same_row(const struct expr *a, const struct expr *b)
{
    bool same = a->kind == b->kind && a->spelling == b->spelling && a->web == b->web &&
                a->instr == b->instr;
    for (int i = 0; same && i < 3; i++)
        same = a->a[i].base == b->a[i].base && a->a[i].offset == b->a[i].offset;
    return same;
}

/* The slot for the number of an equal row: where it is, or is to be stored. */
static uint32_t *expr_slot(const struct exprs *exprs, const struct expr *e)
{
    const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t hash = ((uint64_t)e->spelling << 32 | e->web) ^ ((uint64_t)e->instr << 8 | e->kind);
    hash *= factor;
    for (int i = 0; i < 3; i++) {
        if (!e->a[i].base && !e->a[i].offset) continue;
        hash = (hash ^ hash >> 29 ^ (uint64_t)e->a[i].offset) * factor;
        hash = (hash ^ hash >> 32 ^ e->a[i].base) * factor;
    }
    uint32_t mask = exprs->slot_count - 1, at = (uint32_t)(hash >> 32) & mask;
    while (exprs->slots[at] && !is_same_row(&exprs->rows.at[exprs->slots[at]], e))
        at = (at + 1) & mask;
    return &exprs->slots[at];
}

static void grow_slots(struct exprs *exprs)
{
    mem_free(exprs->slots);
    exprs->slot_count *= 2;
    exprs->slots = mem_zalloc(exprs->slot_count, sizeof *exprs->slots);
    for (uint32_t row = 1; row < exprs->rows.count; row++)
        *expr_slot(exprs, &exprs->rows.at[row]) = row;
}

/* The root of the row: the root of its argument if the other argument is a constant; otherwise the
 * row itself. */
static uint32_t expr_root_of(const struct exprs *exprs, uint32_t row)
{
    const struct expr *e = &exprs->rows.at[row];
    bool compares = e->kind == EXPR_EQ || e->kind == EXPR_LT_S || e->kind == EXPR_LT_U;
    if (!compares && e->kind != EXPR_OP) return row;
    if (!e->a[0].base == !e->a[1].base || e->a[2].base) return row;
    return exprs->rows.at[e->a[0].base ? e->a[0].base : e->a[1].base].root;
}

struct value exprs_add(struct exprs *exprs, const struct expr *like)
{
    uint32_t size = expr_size(exprs, like);
    if (size > EXPR_SIZE_MAX) return VALUE_NONE;
    uint32_t *slot = expr_slot(exprs, like);
    if (*slot) return (struct value){*slot, 0};
    uint32_t row = exprs->rows.count;
    *slot = row;
    vec_push(&exprs->rows, *like);
    exprs->rows.at[row].size = (uint16_t)size;
    exprs->rows.at[row].root = expr_root_of(exprs, row);
    if (row * 2 >= exprs->slot_count) grow_slots(exprs);
    return (struct value){row, 0};
}

/* The properties of a pure expression: those that all its arguments have. */
static struct expr pure_expr(const struct exprs *exprs, enum expr_kind kind, uint32_t spelling,
                             const struct value *a, uint32_t count)
{
    struct expr e = {.kind = (uint8_t)kind,
                     .spelling = spelling,
                     .fixed = true,
                     .of_block = true,
                     .of_thread = true};
    for (uint32_t i = 0; i < count; i++) {
        const struct expr *from = exprs_row(exprs, a[i]);
        e.a[i] = a[i];
        e.fixed &= from->fixed;
        e.of_block &= from->of_block;
        e.of_thread &= from->of_thread;
        if (from->spread != SPREAD_SAME) e.spread = SPREAD_UNKNOWN;
    }
    return e;
}

struct value exprs_operation(struct exprs *exprs, uint32_t spelling, const struct value *a,
                             uint32_t count)
{
    struct expr e = pure_expr(exprs, EXPR_OP, spelling, a, count);
    return exprs_add(exprs, &e);
}

/* ---- sums ---- */

uint32_t exprs_terms(const struct exprs *exprs, uint32_t base, uint32_t *terms)
{
    uint32_t count = 0;
    for (; exprs->rows.at[base].kind == EXPR_SUM; base = exprs->rows.at[base].a[0].base)
        terms[count++] = exprs->rows.at[base].a[1].base;
    if (base) terms[count++] = base;
    return count;
}

/* If at most one of the terms differs among lanes, the sum differs like that term. */
static uint8_t spread_of_sum(const struct expr *x, const struct expr *y)
{
    if (x->spread == SPREAD_SAME) return y->spread;
    return y->spread == SPREAD_SAME ? x->spread : SPREAD_UNKNOWN;
}

static uint32_t sum_add_term(struct exprs *exprs, uint32_t sum, uint32_t term)
{
    if (!sum || sum == VALUE_NONE.base) return sum ? sum : term;
    struct value a[2] = {{sum, 0}, {term, 0}};
    struct expr e = pure_expr(exprs, EXPR_SUM, 0, a, 2);
    const struct expr *x = exprs_row(exprs, a[0]), *y = exprs_row(exprs, a[1]);
    e.spread = spread_of_sum(x, y);
    e.zero_bits = x->zero_bits < y->zero_bits ? x->zero_bits : y->zero_bits;
    e.not_negative = x->not_negative && y->not_negative;
    return exprs_add(exprs, &e).base;
}

static uint32_t fold_sum(struct exprs *exprs, uint32_t *terms, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 1; i < count; i++) {
        uint32_t term = terms[i], k = i;
        for (; k && terms[k - 1] > term; k--) terms[k] = terms[k - 1];
        terms[k] = term;
    }
    for (uint32_t i = 0; i < count; i++) sum = sum_add_term(exprs, sum, terms[i]);
    return sum;
}

struct value exprs_sum(struct exprs *exprs, struct value a, struct value b)
{
    if (value_is_none(a) || value_is_none(b)) return VALUE_NONE;
    struct value sum = {a.base ? a.base : b.base, plus_wrapped(a.offset, b.offset)};
    if (!a.base || !b.base) return sum;
    uint32_t terms[2 * EXPR_TERMS_MAX];
    uint32_t first = exprs_terms(exprs, a.base, terms);
    uint32_t second = exprs_terms(exprs, b.base, terms + first);
    if (first + second > EXPR_TERMS_MAX) return VALUE_NONE;
    sum.base = fold_sum(exprs, terms, first + second);
    return sum;
}

struct value exprs_without_multiples(struct exprs *exprs, struct value v, int64_t unit)
{
    uint32_t terms[EXPR_TERMS_MAX], kept = 0, count = exprs_terms(exprs, v.base, terms);
    for (uint32_t i = 0; i < count; i++)
        if (exprs->rows.at[terms[i]].zero_bits < trailing_zeros(unit)) terms[kept++] = terms[i];
    return (struct value){fold_sum(exprs, terms, kept), v.offset & (unit - 1)};
}

struct value exprs_fixed_part(struct exprs *exprs, struct value v)
{
    uint32_t terms[EXPR_TERMS_MAX], kept = 0, count = exprs_terms(exprs, v.base, terms);
    for (uint32_t i = 0; i < count; i++)
        if (exprs->rows.at[terms[i]].fixed) terms[kept++] = terms[i];
    if (!kept) return VALUE_NONE;
    return (struct value){fold_sum(exprs, terms, kept), v.offset};
}

/* ---- arithmetic ---- */

struct value exprs_product(struct exprs *exprs, struct value a, int64_t factor)
{
    int64_t offset;
    if (__builtin_mul_overflow(a.offset, factor, &offset)) return VALUE_NONE;
    if (!a.base || !factor) return exprs_constant(offset);
    if (factor == 1) return a;
    struct value args[2] = {{a.base, 0}, exprs_constant(factor)};
    const struct expr *from = exprs_row(exprs, a);
    int64_t both;
    if (from->kind == EXPR_PRODUCT && !__builtin_mul_overflow(from->a[1].offset, factor, &both)) {
        args[0] = from->a[0];
        args[1].offset = both;
    }
    struct expr e = pure_expr(exprs, EXPR_PRODUCT, 0, args, 2);
    uint32_t zeros = (uint32_t)from->zero_bits + trailing_zeros(factor);
    e.spread = from->spread;
    e.zero_bits = zeros < 63 ? (uint8_t)zeros : 63;
    e.not_negative = from->not_negative && factor > 0;
    struct value product = exprs_add(exprs, &e);
    product.offset = offset;
    return product;
}

/* The value is %tid.x or %laneid plus a multiple of WARP, so its low bits are known for each
 * lane. */
static bool counts_lanes(const struct exprs *exprs, struct value v)
{
    return exprs_row(exprs, v)->counts_lanes && v.offset % WARP == 0;
}

struct value exprs_shift_right(struct exprs *exprs, struct value a, int64_t bits)
{
    if (!a.base) return exprs_constant((int64_t)((uint64_t)a.offset >> (bits & 63)));
    if (!bits) return a;
    struct value args[2] = {a, exprs_constant(bits)};
    struct expr e = pure_expr(exprs, EXPR_OP, SPELLING_SHIFT_RIGHT, args, 2);
    if (counts_lanes(exprs, a)) e.spread = bits >= 5 ? SPREAD_SAME : SPREAD_LANES;
    e.not_negative = true;
    uint8_t zeros = zero_bits(exprs, a);
    e.zero_bits = zeros > bits ? (uint8_t)(zeros - bits) : 0;
    return exprs_add(exprs, &e);
}

struct value exprs_and_bits(struct exprs *exprs, struct value a, struct value b)
{
    if (!a.base && !b.base) return exprs_constant(a.offset & b.offset);
    struct value args[2] = {a.base ? a : b, a.base ? b : a};
    if (a.base && b.base && a.base > b.base) args[0] = b, args[1] = a;
    struct expr e = pure_expr(exprs, EXPR_OP, SPELLING_AND, args, 2);
    if (!args[1].base) {
        int64_t mask = args[1].offset;
        uint8_t zeros = zero_bits(exprs, args[0]), own = trailing_zeros(mask);
        e.counts_lanes = counts_lanes(exprs, args[0]) && (mask & (WARP - 1)) == WARP - 1;
        if (counts_lanes(exprs, args[0])) e.spread = mask & (WARP - 1) ? SPREAD_LANES : SPREAD_SAME;
        e.zero_bits = zeros > own ? zeros : own;
        e.not_negative =
            (mask >= 0 && mask <= INT32_MAX) || exprs_row(exprs, args[0])->not_negative;
    }
    return exprs_add(exprs, &e);
}

/* All bits of v are below `bit`, because v is a constant or masked. */
static bool is_below(const struct exprs *exprs, struct value v, uint8_t bit)
{
    const struct expr *e = exprs_row(exprs, v);
    int64_t most = v.offset;
    if (v.base) {
        bool masked = e->kind == EXPR_OP && e->spelling == SPELLING_AND && !e->a[1].base;
        if (!masked || v.offset) return false;
        most = e->a[1].offset;
    }
    return most >= 0 && !(most >> bit);
}

struct value exprs_or_bits(struct exprs *exprs, struct value a, struct value b)
{
    if (!a.base && !b.base) return exprs_constant(a.offset | b.offset);
    for (int turn = 0; turn < 2; turn++) {
        struct value x = turn ? b : a, y = turn ? a : b;
        uint8_t zeros = exprs_row(exprs, x)->zero_bits;
        bool even = x.base && zeros < 63 && !(x.offset & ((1LL << zeros) - 1));
        if (even && is_below(exprs, y, zeros)) return exprs_sum(exprs, x, y);
    }
    return VALUE_NONE;
}

/* ---- predicates ---- */

static bool compare_constants(enum expr_kind kind, int64_t a, int64_t b)
{
    if (kind == EXPR_EQ) return a == b;
    return kind == EXPR_LT_S ? a < b : (uint64_t)a < (uint64_t)b;
}

/* Compares the result r of selp r, c, d, p with a constant: mostly that is p or its negation. */
static bool compare_selected(const struct exprs *exprs, struct value a, int64_t with,
                             struct value *result)
{
    const struct expr *e = exprs_row(exprs, a);
    if (e->kind != EXPR_SELECT || a.offset || e->a[0].base || e->a[1].base) return false;
    bool first = e->a[0].offset == with, second = e->a[1].offset == with;
    *result = first == second ? exprs_constant(first) : first ? e->a[2] : exprs_not(e->a[2]);
    return true;
}

/* tid.x < 128 is the same for all lanes of a warp; tid.x < 100 and tid.x == 3 are not. */
static uint8_t spread_of_compare(const struct exprs *exprs, const struct expr *e)
{
    if (e->spread == SPREAD_SAME) return SPREAD_SAME;
    struct value x = e->a[0], y = e->a[1];
    if (e->kind == EXPR_EQ && exprs_row(exprs, x)->spread == SPREAD_LANES && !y.base)
        return SPREAD_LANES;
    bool swapped = !x.base;
    struct value lane = swapped ? y : x, bound = swapped ? x : y;
    if (e->kind == EXPR_EQ || bound.base || !counts_lanes(exprs, lane)) return SPREAD_UNKNOWN;
    int64_t edge = plus_wrapped(bound.offset, swapped);
    return edge % WARP == 0 ? SPREAD_SAME : SPREAD_LANES;
}

struct value exprs_compare(struct exprs *exprs, enum expr_kind kind, struct value a, struct value b)
{
    struct value result;
    if (value_is_none(a) || value_is_none(b)) return VALUE_NONE;
    if (!a.base && !b.base) return exprs_constant(compare_constants(kind, a.offset, b.offset));
    if (kind == EXPR_EQ) {
        if (!a.base || (b.base && b.base < a.base)) {
            struct value swap = a;
            a = b;
            b = swap;
        }
        b.offset = minus_wrapped(b.offset, a.offset);
        a.offset = 0;
        if (a.base == b.base) return exprs_constant(!b.offset);
        if (!b.base && compare_selected(exprs, a, b.offset, &result)) return result;
    } else if (value_same(a, b)) {
        return exprs_constant(0);
    }
    struct value args[2] = {a, b};
    struct expr e = pure_expr(exprs, kind, 0, args, 2);
    e.spread = spread_of_compare(exprs, &e);
    return exprs_add(exprs, &e);
}

static struct value combine_values(struct exprs *exprs, enum expr_kind kind, struct value a,
                                   struct value b)
{
    if (a.base > b.base) {
        struct value swap = a;
        a = b;
        b = swap;
    }
    if (value_same(a, b)) return a;
    struct value args[2] = {a, b};
    struct expr e = pure_expr(exprs, kind, 0, args, 2);
    return exprs_add(exprs, &e);
}

struct value exprs_both(struct exprs *exprs, struct value a, struct value b)
{
    if (value_is_none(a) || value_is_none(b)) return VALUE_NONE;
    if (!a.base) return a.offset ? b : a;
    if (!b.base) return b.offset ? a : b;
    return combine_values(exprs, EXPR_AND, a, b);
}

struct value exprs_either(struct exprs *exprs, struct value a, struct value b)
{
    if (value_is_none(a) || value_is_none(b)) return VALUE_NONE;
    if (!a.base) return a.offset ? a : b;
    if (!b.base) return b.offset ? b : a;
    return combine_values(exprs, EXPR_OR, a, b);
}

struct value exprs_select(struct exprs *exprs, struct value a, struct value b,
                          struct value predicate)
{
    if (value_is_none(a) || value_is_none(b) || value_is_none(predicate)) return VALUE_NONE;
    if (!predicate.base) return predicate.offset ? a : b;
    if (value_same(a, b)) return a;
    struct value args[3] = {a, b, predicate};
    struct expr e = pure_expr(exprs, EXPR_SELECT, 0, args, 3);
    uint8_t x = zero_bits(exprs, a), y = zero_bits(exprs, b);
    e.zero_bits = x < y ? x : y;
    bool constants = !a.base && !b.base;
    if (constants && exprs_row(exprs, predicate)->spread == SPREAD_LANES) e.spread = SPREAD_LANES;
    e.not_negative = constants && a.offset >= 0 && b.offset >= 0;
    return exprs_add(exprs, &e);
}
