/* Computes bounds of a value under conditions. A bound of tid.x gives one of tid.x >> 5, which
 * gives one of (tid.x >> 5) & -4, and vice versa. */
#ifndef PTXOPT_VALUE_NUMBERS_H
#define PTXOPT_VALUE_NUMBERS_H

#include "value/condition_set.h"
#include "value/values.h"

/* The numbers in [low, high], except those in without. */
struct numbers {
    int64_t low, high;
    uint32_t without_count;
    int64_t without[CONDITIONS_MAX];
};

/* Sets n to the bounds of the value with that base and offset 0 under the set, in the order
 * EXPR_LT_S or EXPR_LT_U. */
void numbers_find(const struct subject *subject, const struct condition_set *set, uint32_t base,
                  enum expr_kind order, struct numbers *n);

/* True if, under the set, the value certainly is within [*low, *high], both far from overflow. It
 * is known for sums of constants, masked and shifted numbers, thread numbers, and what the set
 * bounds. */
bool numbers_bound(const struct subject *subject, const struct condition_set *set, struct value v,
                   int64_t *low, int64_t *high);

bool numbers_have(const struct numbers *n, int64_t number);

#endif
