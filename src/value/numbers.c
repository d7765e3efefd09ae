/* Computes bounds of values: intervals without some numbers. See numbers.h. */
#include "value/numbers.h"

#include "value/expr.h"

/* Leaves out what is in the interval, if that is few numbers. */
static void numbers_leave_out(struct numbers *n, int64_t low, int64_t high)
{
    enum { MOST = 16 };
    if (high - low >= MOST) return;
    for (; low <= high && n->without_count < CONDITIONS_MAX; low++)
        n->without[n->without_count++] = low;
}

static void cut_interval(struct numbers *n, int64_t low, int64_t high)
{
    if (low > n->low) n->low = low;
    if (high < n->high) n->high = high;
}

/* Uses base + offset REL constant as a bound of base. swapped: constant REL base + offset. */
static void bound_by_comparison(struct numbers *n, const struct expr *e, bool holds, bool swapped)
{
    struct value x = swapped ? e->a[1] : e->a[0], c = swapped ? e->a[0] : e->a[1];
    int64_t edge = minus_wrapped(c.offset, x.offset);
    bool below = holds != swapped; /* x < edge or x <= edge */
    int64_t high = swapped ? edge : minus_wrapped(edge, 1), low = INT64_MIN;
    if (e->kind == EXPR_LT_U && x.offset) {
        /* (x - 4) < 2 means that x is 4 or 5; (x + 4) < 6 also that it is 0xffffffff */
        if (x.offset > 0 || c.offset < 0 || edge > UINT32_MAX) return;
        low = minus_wrapped(0, x.offset);
    }
    if (below)
        cut_interval(n, low, high);
    else if (low == INT64_MIN)
        cut_interval(n, plus_wrapped(high, 1), INT64_MAX);
    else
        numbers_leave_out(n, low, high);
}

/* Signed and unsigned order agree for values that are never negative. */
static bool order_counts(const struct subject *subject, const struct expr *e, uint32_t base,
                         enum expr_kind order)
{
    struct value x = {base, 0};
    if (e->kind == order) return true;
    return value_expr(subject, x)->not_negative;
}

static void narrow_by_condition(const struct subject *subject, struct numbers *n,
                                const struct condition *c, uint32_t base, enum expr_kind order)
{
    const struct expr *e = value_expr(subject, (struct value){c->base, 0});
    if (e->kind != EXPR_EQ && e->kind != EXPR_LT_S && e->kind != EXPR_LT_U) return;
    bool swapped = e->a[1].base == base && !e->a[0].base;
    if (!swapped && (e->a[0].base != base || e->a[1].base)) return;
    if (e->kind == EXPR_EQ) {
        int64_t number = minus_wrapped(e->a[1].offset, e->a[0].offset);
        if (number < 0 && order == EXPR_LT_U) return; /* a large number in the unsigned order */
        if (!c->holds)
            numbers_leave_out(n, number, number);
        else
            cut_interval(n, number, number);
    } else if (order_counts(subject, e, base, order)) {
        bound_by_comparison(n, e, c->holds, swapped);
    }
}

bool numbers_have(const struct numbers *n, int64_t number)
{
    if (number < n->low || number > n->high) return false;
    for (uint32_t i = 0; i < n->without_count; i++)
        if (n->without[i] == number) return false;
    return true;
}

/* Sets n to the bounds of base from conditions on base itself. */
static void find_numbers_of_base(const struct subject *subject, const struct condition_set *set,
                                 uint32_t base, enum expr_kind order, struct numbers *n)
{
    bool not_negative = value_expr(subject, (struct value){base, 0})->not_negative;
    n->low = not_negative ? 0 : INT64_MIN;
    n->high = INT64_MAX;
    n->without_count = 0; /* the rest of without is left uninitialised */
    for (uint32_t i = 0; i < set->count; i++)
        narrow_by_condition(subject, n, &set->at[i], base, order);
    while (n->low < n->high && !numbers_have(n, n->low) && n->low > INT64_MIN) n->low++;
}

/* A part of a number: x >> 5, or x & -4, which rounds down. */
struct piece {
    uint32_t of;
    int64_t unit; /* a power of 2: this many numbers have the same part */
    bool shifted; /* the part is a number of units */
};

static bool is_piece(const struct subject *subject, uint32_t base, struct piece *piece)
{
    const struct expr *e = value_expr(subject, (struct value){base, 0});
    if (!base || e->kind != EXPR_OP || e->a[1].base || !e->a[0].base || e->a[0].offset)
        return false;
    int64_t by = e->a[1].offset;
    piece->of = e->a[0].base;
    piece->shifted = e->spelling == SPELLING_SHIFT_RIGHT;
    if (piece->shifted) {
        piece->unit = by > 0 && by < 32 ? (int64_t)1 << by : 0;
    } else {
        int64_t unit = -(int64_t)(int32_t)by;
        piece->unit = e->spelling == SPELLING_AND && unit > 0 && !(unit & (unit - 1)) ? unit : 0;
    }
    return piece->unit && value_expr(subject, e->a[0])->not_negative;
}

/* Converts bounds of a part to bounds of the number. */
static void widen_by_piece(const struct piece *piece, int64_t *low, int64_t *high)
{
    int64_t scale = piece->shifted ? piece->unit : 1, most = INT64_MAX / (2 * piece->unit);
    *low = *low < 0 ? 0 : *low < most ? *low * scale : INT64_MAX;
    *high = *high >= 0 && *high < most ? *high * scale + piece->unit - 1 : INT64_MAX;
}

/* `tested` is a part of base, or a part of a part. */
static bool is_part_of(const struct subject *subject, uint32_t tested, uint32_t base)
{
    struct piece piece;
    while (is_piece(subject, tested, &piece)) {
        tested = piece.of;
        if (tested == base) return true;
    }
    return false;
}

/* Uses bounds of `tested`, which is a part of base. */
static void cut_by_piece(const struct subject *subject, struct numbers *n, uint32_t base,
                         uint32_t tested, const struct numbers *of)
{
    int64_t low = of->low, high = of->high;
    struct piece piece;
    while (is_piece(subject, tested, &piece)) {
        widen_by_piece(&piece, &low, &high);
        tested = piece.of;
        if (tested == base) cut_interval(n, low, high);
    }
}

/* Sets related to the conditions on expressions with the same root as base. All conditions that
 * bound base are among them. */
static void find_related(const struct exprs *exprs, const struct condition_set *all, uint32_t base,
                         struct condition_set *related)
{
    uint32_t root = exprs->rows.at[base].root;
    related->count = 0;
    for (uint32_t i = 0; i < all->count; i++)
        if (exprs->rows.at[all->at[i].base].root == root)
            related->at[related->count++] = all->at[i];
}

void numbers_find(const struct subject *subject, const struct condition_set *all, uint32_t base,
                  enum expr_kind order, struct numbers *n)
{
    struct condition_set related, *set = &related;
    struct numbers of;
    struct piece piece;
    find_related(values_exprs(subject), all, base, set);
    find_numbers_of_base(subject, set, base, order, n);
    if (is_piece(subject, base, &piece)) {
        find_numbers_of_base(subject, set, piece.of, order, &of);
        int64_t scale = piece.shifted ? 1 : piece.unit;
        cut_interval(n, of.low / piece.unit * scale, of.high / piece.unit * scale);
    }
    uint32_t last = 0; /* conditions on one value often follow each other */
    for (uint32_t i = 0; i < set->count; i++) {
        const struct expr *e = value_expr(subject, (struct value){set->at[i].base, 0});
        uint32_t tested = e->a[0].base ? e->a[0].base : e->a[1].base;
        if (e->kind < EXPR_EQ || e->kind > EXPR_LT_U || tested == last) continue;
        last = tested;
        if (!is_part_of(subject, tested, base)) continue;
        find_numbers_of_base(subject, set, tested, order, &of);
        cut_by_piece(subject, n, base, tested, &of);
    }
}

/* ---- bounds ---- */

/* Numbers within these bounds are the same in 32-bit registers with and without a sign. */
#define BOUND_MOST (INT64_C(1) << 30)

struct bounds {
    int64_t low, high;
};

/* Limits of a CTA by the ISA: 1024 threads, at most 64 along z, and 32 lanes in a warp (10). */
static struct bounds bounds_of_name(struct str name)
{
    bool row = str_is(name, "%tid.x") || str_is(name, "%tid.y");
    int64_t most = row ? 1023 : str_is(name, "%tid.z") ? 63 : str_is(name, "%laneid") ? 31 : -1;
    return most < 0 ? (struct bounds){INT64_MIN, INT64_MAX} : (struct bounds){0, most};
}

static struct bounds bounds_of_base(const struct subject *subject, const struct condition_set *set,
                                    uint32_t base);

static struct bounds bounds_of_operation(const struct subject *subject,
                                         const struct condition_set *set, const struct expr *e)
{
    struct bounds b = {INT64_MIN, INT64_MAX}, of;
    if (e->a[1].base || e->a[1].offset < 0) return b;
    if (e->spelling == SPELLING_AND && e->a[1].offset <= INT32_MAX)
        return (struct bounds){0, e->a[1].offset};
    if (e->spelling != SPELLING_SHIFT_RIGHT || e->a[1].offset > 31) return b;
    if (!numbers_bound(subject, set, e->a[0], &of.low, &of.high) || of.low < 0) return b;
    return (struct bounds){of.low >> e->a[1].offset, of.high >> e->a[1].offset};
}

static struct bounds bounds_of_product(const struct subject *subject,
                                       const struct condition_set *set, const struct expr *e)
{
    struct bounds of, b = {INT64_MIN, INT64_MAX};
    int64_t factor = e->a[1].offset, x, y;
    if (!numbers_bound(subject, set, e->a[0], &of.low, &of.high) ||
        __builtin_mul_overflow(of.low, factor, &x) || __builtin_mul_overflow(of.high, factor, &y))
        return b;
    return x < y ? (struct bounds){x, y} : (struct bounds){y, x};
}

static struct bounds bounds_of_select(const struct subject *subject,
                                      const struct condition_set *set, const struct expr *e)
{
    struct bounds x, y, b = {INT64_MIN, INT64_MAX};
    if (!numbers_bound(subject, set, e->a[0], &x.low, &x.high) ||
        !numbers_bound(subject, set, e->a[1], &y.low, &y.high))
        return b;
    return (struct bounds){x.low < y.low ? x.low : y.low, x.high > y.high ? x.high : y.high};
}

static struct bounds bounds_of_base(const struct subject *subject, const struct condition_set *set,
                                    uint32_t base)
{
    const struct expr e = *value_expr(subject, (struct value){base, 0});
    struct numbers n;
    struct bounds b = {INT64_MIN, INT64_MAX};
    subject_spend(subject, set->count + 1);
    numbers_find(subject, set, base, EXPR_LT_S, &n);
    if (e.kind == EXPR_NAME) b = bounds_of_name(value_name(subject, e.web));
    if (e.kind == EXPR_OP) b = bounds_of_operation(subject, set, &e);
    if (e.kind == EXPR_PRODUCT) b = bounds_of_product(subject, set, &e);
    if (e.kind == EXPR_SELECT) b = bounds_of_select(subject, set, &e);
    if (n.low > b.low) b.low = n.low;
    if (n.high < b.high) b.high = n.high;
    return b;
}

bool numbers_bound(const struct subject *subject, const struct condition_set *set, struct value v,
                   int64_t *low, int64_t *high)
{
    uint32_t terms[EXPR_TERMS_MAX];
    if (value_is_none(v) || v.offset > BOUND_MOST || v.offset < -BOUND_MOST) return false;
    uint32_t count = exprs_terms(values_exprs(subject), v.base, terms);
    *low = *high = v.offset;
    for (uint32_t i = 0; i < count; i++) {
        struct bounds b = bounds_of_base(subject, set, terms[i]);
        if (b.low > b.high || b.low < -BOUND_MOST || b.high > BOUND_MOST) return false;
        *low += b.low;
        *high += b.high;
    }
    return *low >= -BOUND_MOST && *high <= BOUND_MOST;
}
