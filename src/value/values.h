/* What a web holds, as far as it is proven. Values that are equal for sure are one
 * expression and an offset, however they were computed. */
#ifndef PTXOPT_VALUE_VALUES_H
#define PTXOPT_VALUE_VALUES_H

#include "value/expr.h"
#include "value/subject.h"

/* Sets subject->values. After subject_begin; end with values_free. */
void values_build(struct subject *subject);
void values_free(struct values *values);

/* What web holds wherever it is defined; of a register with several definitions an EXPR_REG that
 * is not fixed. */
struct value value_of(const struct subject *subject, uint32_t web);

/* Of operand n: a register, number, name, or address within brackets. VALUE_NONE when it is not
 * there, or a list. */
struct value value_of_operand(const struct subject *subject, uint32_t instr, uint32_t n);

/* The same when the one register in the operand, which value_operand_web names, holds that. */
struct value value_of_operand_holding(const struct subject *subject, uint32_t instr, uint32_t n,
                                      struct value held);

/* The web of the one register or symbol in operand n; REG_NONE when there is none, or a list. */
uint32_t value_operand_web(const struct subject *subject, uint32_t instr, uint32_t n);

/* A predicate: true when the instruction runs. Of one without a guard the
 * constant 1. */
struct value value_of_guard(const struct subject *subject, uint32_t instr);

/* The table of all values of the function. */
static inline struct exprs *values_exprs(const struct subject *subject)
{
    return subject->exprs;
}

/* The meaning of base; of a constant a separate row that is fixed. */
static inline const struct expr *value_expr(const struct subject *subject, struct value v)
{
    return exprs_row(subject->exprs, v);
}

/* True when every evaluation by one thread gives the same. */
bool value_is_fixed(const struct subject *subject, struct value v);

/* The expression for the value without those terms that are a multiple of unit, a power of two:
 * of a tensor-memory address with unit 65536 the rest is the column, without lanes. */
struct value value_without_multiples(const struct subject *subject, struct value v, int64_t unit);

/* The value without those terms that are not fixed; *changes says whether there were any. A value
 * that only is fixed or not as a whole, and is not, is VALUE_NONE. */
struct value value_fixed_part(const struct subject *subject, struct value v, bool *changes);

/* How many definitions the register has, and the last of them in the text. */
uint32_t value_definitions(const struct subject *subject, uint32_t web, uint32_t *last);

/* What instruction i computes into its first operand, whatever other definitions that has;
 * VALUE_NONE when it is not understood. */
struct value value_computed(const struct subject *subject, uint32_t instr);

/* Whether that is what it writes into web, or, when *opposite is set, the opposite of it: of
 * several destinations the first of p|q, the last of elect's; not one of a list. */
bool value_is_computed(const struct subject *subject, uint32_t instr, uint32_t web, bool *opposite);

/* How a register that nothing writes is spelled; empty for others. */
struct str value_name(const struct subject *subject, uint32_t web);

/* True when v is the address of a variable, or of a place at a constant distance from it. */
bool value_is_variable(const struct subject *subject, struct value v);

struct value value_sum(const struct subject *subject, struct value a, struct value b);

/* The predicate a == b. */
struct value value_equal(const struct subject *subject, struct value a, struct value b);

#endif
