/* Which numbers may a value be where conditions hold? Intervals, less a few. */
#include "lint/numbers.h"

#include "lint/expr.h"

/* base + offset REL constant, as a bound of base. swapped: constant REL base + offset. */
static void bound(struct numbers *n, const struct expr *e, bool holds, bool swapped)
{
    struct value x = swapped ? e->a[1] : e->a[0], c = swapped ? e->a[0] : e->a[1];
    int64_t edge = minus_wrapped(c.offset, x.offset);
    if (e->kind == EXPR_LT_U && x.offset) {
        /* (x - 4) < 2: x is 4 or 5; the opposite is no interval */
        if (!holds || swapped) return;
        if (minus_wrapped(0, x.offset) > n->low) n->low = minus_wrapped(0, x.offset);
    }
    bool below = holds != swapped; /* x < edge or x <= edge */
    int64_t high = swapped ? edge : minus_wrapped(edge, 1);
    int64_t low = swapped ? plus_wrapped(edge, 1) : edge;
    if (below && high < n->high) n->high = high;
    if (!below && low > n->low) n->low = low;
}

/* Signed and unsigned order are the same of what is never negative. */
static bool order_counts(const struct lint *lint, const struct expr *e, uint32_t base,
                         enum expr_kind order)
{
    struct value x = {base, 0};
    if (e->kind == order) return true;
    return value_expr(lint, x)->not_negative;
}

static void narrow(const struct lint *lint, struct numbers *n, const struct condition *c,
                   uint32_t base, enum expr_kind order)
{
    const struct expr *e = value_expr(lint, (struct value){c->base, 0});
    if (e->kind != EXPR_EQ && e->kind != EXPR_LT_S && e->kind != EXPR_LT_U) return;
    bool swapped = e->a[1].base == base && !e->a[0].base;
    if (!swapped && (e->a[0].base != base || e->a[1].base)) return;
    if (e->kind == EXPR_EQ) {
        int64_t number = minus_wrapped(e->a[1].offset, e->a[0].offset);
        if (!c->holds)
            vec_push(&n->without, number);
        else
            n->low = number > n->low ? number : n->low,
            n->high = number < n->high ? number : n->high;
    } else if (order_counts(lint, e, base, order)) {
        bound(n, e, c->holds, swapped);
    }
}

bool numbers_have(const struct numbers *n, int64_t number)
{
    if (number < n->low || number > n->high) return false;
    for (uint32_t i = 0; i < n->without.count; i++)
        if (n->without.at[i] == number) return false;
    return true;
}

/* What the conditions say of base itself. To be freed. */
static struct numbers numbers_of_base(const struct lint *lint, const struct condition_set *set,
                                      uint32_t base, enum expr_kind order)
{
    bool not_negative = value_expr(lint, (struct value){base, 0})->not_negative;
    struct numbers n = {.low = not_negative ? 0 : INT64_MIN, .high = INT64_MAX};
    for (uint32_t i = 0; i < set->count; i++) narrow(lint, &n, &set->at[i], base, order);
    while (n.low < n.high && !numbers_have(&n, n.low) && n.low > INT64_MIN) n.low++;
    return n;
}

static void cut(struct numbers *n, int64_t low, int64_t high)
{
    if (low > n->low) n->low = low;
    if (high < n->high) n->high = high;
}

/* What an expression keeps of a number: x >> 5, or x & -4, which rounds down. */
struct piece {
    uint32_t of;
    int64_t unit; /* a power of 2: so many numbers have the same part */
    bool shifted; /* it counts units */
};

static bool is_piece(const struct lint *lint, uint32_t base, struct piece *piece)
{
    const struct expr *e = value_expr(lint, (struct value){base, 0});
    if (!base || e->kind != EXPR_OP || e->a[1].base || !e->a[0].base || e->a[0].offset)
        return false;
    int64_t by = e->a[1].offset;
    piece->of = e->a[0].base;
    piece->shifted = e->spelling == SPELLING_SHIFT_RIGHT;
    if (piece->shifted) {
        piece->unit = by > 0 && by < 32 ? 1LL << by : 0;
    } else {
        int64_t unit = -(int64_t)(int32_t)by;
        piece->unit = e->spelling == SPELLING_AND && unit > 0 && !(unit & (unit - 1)) ? unit : 0;
    }
    return piece->unit && value_expr(lint, e->a[0])->not_negative;
}

/* From what a piece can be to the least and the greatest number that it may be of. */
static void widen(const struct piece *piece, int64_t *low, int64_t *high)
{
    int64_t scale = piece->shifted ? piece->unit : 1, most = INT64_MAX / (2 * piece->unit);
    *low = *low < 0 ? 0 : *low < most ? *low * scale : INT64_MAX;
    *high = *high >= 0 && *high < most ? *high * scale + piece->unit - 1 : INT64_MAX;
}

/* What is said of tested says something of base when it is a piece of it, or a piece's piece. */
static void cut_by_piece(const struct lint *lint, struct numbers *n, uint32_t base, uint32_t tested,
                         const struct numbers *of)
{
    int64_t low = of->low, high = of->high;
    struct piece piece;
    while (is_piece(lint, tested, &piece)) {
        widen(&piece, &low, &high);
        tested = piece.of;
        if (tested == base) cut(n, low, high);
    }
}

struct numbers numbers_of(const struct lint *lint, const struct condition_set *set, uint32_t base,
                          enum expr_kind order)
{
    struct numbers n = numbers_of_base(lint, set, base, order);
    struct piece piece;
    if (is_piece(lint, base, &piece)) {
        struct numbers whole = numbers_of_base(lint, set, piece.of, order);
        int64_t scale = piece.shifted ? 1 : piece.unit;
        cut(&n, whole.low / piece.unit * scale, whole.high / piece.unit * scale);
        vec_free(&whole.without);
    }
    for (uint32_t i = 0; i < set->count; i++) {
        const struct expr *e = value_expr(lint, (struct value){set->at[i].base, 0});
        uint32_t tested = e->a[0].base ? e->a[0].base : e->a[1].base;
        if (e->kind < EXPR_EQ || e->kind > EXPR_LT_U) continue;
        if (!is_piece(lint, tested, &piece)) continue;
        struct numbers of = numbers_of_base(lint, set, tested, order);
        cut_by_piece(lint, &n, base, tested, &of);
        vec_free(&of.without);
    }
    return n;
}

void numbers_free(struct numbers *n)
{
    vec_free(&n->without);
}
