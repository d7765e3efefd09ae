/* Bounds the numbers that a value may be where conditions hold. A bound of tid.x gives one of
 * tid.x >> 5, which gives one of (tid.x >> 5) & -4, and the other way round. */
#ifndef PTXOPT_VALUE_NUMBERS_H
#define PTXOPT_VALUE_NUMBERS_H

#include "base/vec.h"
#include "value/condition_set.h"
#include "value/values.h"

struct numbers {
    int64_t low, high; /* [low, high] */
    struct VEC(int64_t) without;
};

/* What set says of the value with that base and no offset, compared by order: EXPR_LT_S or
 * EXPR_LT_U. End with numbers_free. */
struct numbers numbers_of(const struct subject *subject, const struct condition_set *set,
                          uint32_t base, enum expr_kind order);

/* Whether the value, with what set says, is for sure within [*low, *high], both far from overflow:
 * a sum of constants, masked and shifted numbers, places of a thread in its CTA, and what set
 * bounds.
 */
bool numbers_bound(const struct subject *subject, const struct condition_set *set, struct value v,
                   int64_t *low, int64_t *high);

bool numbers_have(const struct numbers *n, int64_t number);
void numbers_free(struct numbers *n);

#endif
