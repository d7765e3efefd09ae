/* The table of expressions that values.h speaks of: equal ones are one. */
#ifndef PTXOPT_LINT_EXPR_H
#define PTXOPT_LINT_EXPR_H

#include "base/intern.h"
#include "lint/values.h"

/* Instead of a spelling: a shift to the right of what is not negative, bitwise and, mapa. */
#define SPELLING_SHIFT_RIGHT (UINT32_MAX - 1)
#define SPELLING_AND (UINT32_MAX - 2)
#define SPELLING_MAPPED (UINT32_MAX - 3)

struct exprs {
    struct VEC(struct expr) rows; /* the first stands for constants */
    struct intern known;          /* numbered as rows */
    struct arena *arena;
};

/* Those of the function. */
struct exprs *values_exprs(const struct lint *lint);

void exprs_init(struct exprs *exprs, struct arena *arena);
void exprs_free(struct exprs *exprs);

/* The row of that kind with those arguments; what it says besides is taken from `like` when it is
 * new. VALUE_NONE for what would be larger than EXPR_SIZE_MAX, so that who goes through an
 * expression, as often as its parts stand in it, and by recursion, comes to an end. */
enum { EXPR_SIZE_MAX = 256 };
struct value exprs_add(struct exprs *exprs, const struct expr *like);

/* Those that base is the sum of, the constant apart; returns how many, at most EXPR_TERMS_MAX. */
enum { EXPR_TERMS_MAX = 8 };
uint32_t exprs_terms(const struct exprs *exprs, uint32_t base, uint32_t *terms);

struct value exprs_constant(int64_t constant);
struct value exprs_sum(struct exprs *exprs, struct value a, struct value b);
struct value exprs_product(struct exprs *exprs, struct value a, int64_t factor);
struct value exprs_shift_right(struct exprs *exprs, struct value a, int64_t bits);
struct value exprs_and_bits(struct exprs *exprs, struct value a, struct value b);
/* VALUE_NONE unless no bit is set in both: then it is a sum. */
struct value exprs_or_bits(struct exprs *exprs, struct value a, struct value b);
struct value exprs_operation(struct exprs *exprs, uint32_t spelling, const struct value *a,
                             uint32_t count);

/* Predicates. */
struct value exprs_not(struct value predicate);
struct value exprs_compare(struct exprs *exprs, enum expr_kind kind, struct value a,
                           struct value b);
struct value exprs_both(struct exprs *exprs, struct value a, struct value b);
struct value exprs_either(struct exprs *exprs, struct value a, struct value b);
struct value exprs_select(struct exprs *exprs, struct value a, struct value b,
                          struct value predicate);

/* The sum without those terms that are not fixed; VALUE_NONE when none is. */
struct value exprs_fixed_part(struct exprs *exprs, struct value v);
struct value exprs_without_multiples(struct exprs *exprs, struct value v, int64_t unit);

#endif
