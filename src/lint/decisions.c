/* Remembers conditions and chooses values. See decisions.h. */
#include "lint/decisions.h"

void decisions_begin(struct decisions *d, const struct subject *subject)
{
    uint32_t decided = 0, bounds = 0;
    for (uint32_t i = 0; d->kept && i < d->decided_count; i++)
        if (value_expr(subject, (struct value){d->decided[i].base, 0})->of_block)
            d->decided[decided++] = d->decided[i];
    for (uint32_t i = 0; d->kept && i < d->bound_count; i++)
        if (value_expr(subject, (struct value){d->bounds[i].base, 0})->of_block)
            d->bounds[bounds++] = d->bounds[i];
    d->decided_count = decided;
    d->bound_count = bounds;
}

struct value decisions_replace(const struct decisions *d, struct value v)
{
    if (value_is_none(v)) return v;
    for (uint32_t i = 0; i < d->bound_count; i++)
        if (d->bounds[i].base == v.base)
            return exprs_constant(plus_wrapped(d->bounds[i].value, v.offset));
    return v;
}

bool decisions_find(const struct decisions *d, uint32_t base, bool *holds)
{
    for (uint32_t i = 0; i < d->decided_count; i++) {
        if (d->decided[i].base != base) continue;
        *holds = d->decided[i].holds;
        return true;
    }
    return false;
}

bool decisions_add(struct decisions *d, uint32_t base, bool holds)
{
    if (d->decided_count == DECIDED_MAX) return false;
    d->decided[d->decided_count++] = (struct decided){base, holds};
    return true;
}

bool decisions_for_large(const struct subject *subject, struct value condition, bool *compares)
{
    const struct expr *e = value_expr(subject, condition);
    bool first = value_is_constant(e->a[0]), second = value_is_constant(e->a[1]);
    *compares =
        (e->kind == EXPR_LT_S || e->kind == EXPR_LT_U || e->kind == EXPR_EQ) && first != second;
    return e->kind != EXPR_EQ && first;
}

/* A smaller number was less than the same value, or another one not equal to it. */
static bool was_before(const struct decisions *d, const struct subject *subject,
                       const struct expr *e)
{
    for (uint32_t i = 0; i < d->decided_count; i++) {
        const struct expr *other = value_expr(subject, (struct value){d->decided[i].base, 0});
        if (other->kind != e->kind) continue;
        bool same = other->a[0].base == e->a[0].base && other->a[1].base == e->a[1].base;
        if (e->kind == EXPR_EQ && !d->decided[i].holds && same) return true;
        if (e->kind != EXPR_EQ && d->decided[i].holds && !other->a[0].base &&
            other->a[0].offset < e->a[0].offset && value_same(other->a[1], e->a[1]))
            return true;
    }
    return false;
}

/* The comparison of a constant with a value of that base, if the value were fixed so. -1: it is
 * another condition. */
static int compared_if(const struct subject *subject, uint32_t condition, struct bound bound)
{
    const struct expr *e = value_expr(subject, (struct value){condition, 0});
    if (e->kind != EXPR_LT_S && e->kind != EXPR_LT_U && e->kind != EXPR_EQ) return -1;
    struct value a[2] = {e->a[0], e->a[1]};
    if (a[0].base != bound.base && a[1].base != bound.base) return -1;
    for (int i = 0; i < 2; i++)
        if (a[i].base == bound.base) a[i] = exprs_constant(plus_wrapped(a[i].offset, bound.value));
    if (a[0].base || a[1].base) return -1;
    if (e->kind == EXPR_EQ) return a[0].offset == a[1].offset;
    return e->kind == EXPR_LT_S ? a[0].offset < a[1].offset
                                : (uint64_t)a[0].offset < (uint64_t)a[1].offset;
}

/* Some condition before the last one was decided otherwise than that value decides it. */
static bool contradicts(const struct decisions *d, const struct subject *subject,
                        struct bound bound)
{
    for (uint32_t i = 0; i + 1 < d->decided_count; i++) {
        int holds = compared_if(subject, d->decided[i].base, bound);
        if (holds >= 0 && holds != d->decided[i].holds) return true;
    }
    return false;
}

/* Some loops count from the negated number of iterations to zero. base: 0 if it is unknown. */
static struct bound negate_bound(const struct subject *subject, struct bound bound)
{
    struct value v = exprs_product(values_exprs(subject), (struct value){bound.base, 0}, -1);
    if (value_is_none(v)) return (struct bound){0, 0};
    return (struct bound){v.base, minus_wrapped(minus_wrapped(0, bound.value), v.offset)};
}

bool decisions_choose(struct decisions *d, const struct subject *subject)
{
    const struct decided *last = &d->decided[d->decided_count - 1];
    const struct expr *e = value_expr(subject, (struct value){last->base, 0});
    bool equal = e->kind == EXPR_EQ;
    if (!equal && e->kind != EXPR_LT_S && e->kind != EXPR_LT_U) return false;
    int constant = equal && e->a[0].base; /* the number of the operand that is the counter */
    struct value counter = e->a[constant], value = e->a[!constant];
    if (counter.base || !value.base || d->bound_count == BOUNDS_MAX) return false;
    if (last->holds != equal || (equal && !d->kept) || !was_before(d, subject, e)) return false;
    struct bound bound = {value.base, minus_wrapped(counter.offset, value.offset)};
    struct bound negated = negate_bound(subject, bound);
    if (d->kept && (contradicts(d, subject, bound) || contradicts(d, subject, negated)))
        return false;
    d->bounds[d->bound_count++] = bound;
    if (negated.base && d->bound_count < BOUNDS_MAX) d->bounds[d->bound_count++] = negated;
    return true;
}
