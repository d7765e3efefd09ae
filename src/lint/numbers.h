/* Which numbers may a value be where conditions hold? What is said of tid.x says something of
 * tid.x >> 5, which says something of (tid.x >> 5) & -4, and the other way round. */
#ifndef PTXOPT_LINT_NUMBERS_H
#define PTXOPT_LINT_NUMBERS_H

#include "base/vec.h"
#include "lint/conditions.h"
#include "lint/expr.h"

struct numbers {
    int64_t low, high; /* [low, high] */
    struct VEC(int64_t) without;
};

/* What set says of the value with that base and no offset, compared by order: EXPR_LT_S or
 * EXPR_LT_U. End with numbers_free. */
struct numbers numbers_of(const struct lint *lint, const struct condition_set *set, uint32_t base,
                          enum expr_kind order);

bool numbers_have(const struct numbers *n, int64_t number);
void numbers_free(struct numbers *n);

#endif
