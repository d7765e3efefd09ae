/* The proven values of webs. Values that are certainly equal are the same expression and offset,
 * however they were computed. */
#ifndef PTXOPT_VALUE_VALUES_H
#define PTXOPT_VALUE_VALUES_H

#include "value/expr.h"
#include "value/instruction.h"

/* Sets subject->values. Call subject_begin first; free it with values_free. */
void values_build(struct subject *subject);
void values_free(struct values *values);

/* The value of the web wherever it is defined; for a register with several definitions, an EXPR_REG
 * that is not fixed. */
struct value value_of(const struct subject *subject, uint32_t web);

/* The value of operand n: a register, number, name, or address in brackets. VALUE_NONE if there is
 * none, or it is a list. */
struct value value_of_operand(const struct subject *subject, uint32_t instr, uint32_t n);

/* The same if the only register of the operand (see value_operand_web) has the value held. */
struct value value_of_operand_holding(const struct subject *subject, uint32_t instr, uint32_t n,
                                      struct value held);

/* The same for what the operand contains, from instruction_held. */
static inline struct value value_of_held(const struct held_operand *operand, struct value held)
{
    struct value v = {0, operand->number};
    if (operand->holding == OPERAND_UNKNOWN) return VALUE_NONE;
    if (operand->holding == OPERAND_REGISTER) {
        if (value_is_none(held)) return VALUE_NONE;
        v = (struct value){held.base, plus_wrapped(held.offset, operand->number)};
    }
    return operand->negated ? exprs_not(v) : v;
}

/* The web of the only register or symbol in operand n; REG_NONE if there is none, or the operand is
 * a list. */
uint32_t value_operand_web(const struct subject *subject, uint32_t instr, uint32_t n);

/* A predicate that is true if the instruction runs; the constant 1 for an instruction without a
 * guard. */
struct value value_of_guard(const struct subject *subject, uint32_t instr);

/* The table of all values of the function. */
static inline struct exprs *values_exprs(const struct subject *subject)
{
    return subject->exprs;
}

/* The expression of the base of v; for a constant, a row of its own, which is fixed. */
static inline const struct expr *value_expr(const struct subject *subject, struct value v)
{
    return exprs_row(subject->exprs, v);
}

/* The register of the first operand in brackets, as value_operand_web, and the value of that
 * operand. */
uint32_t value_address_web(const struct subject *subject, uint32_t instr);
struct value value_of_address(const struct subject *subject, uint32_t instr);

/* Each evaluation by one thread gives the same value. */
bool value_is_fixed(const struct subject *subject, struct value v);

/* The value without the terms that are multiples of unit, a power of two. For a tensor memory
 * address and unit 65536, that is the column without the lane. */
struct value value_without_multiples(const struct subject *subject, struct value v, int64_t unit);

/* The value without the terms that are not fixed; *changes: there were such terms. VALUE_NONE if
 * the value is not a sum with fixed terms and is not fixed itself. */
struct value value_fixed_part(const struct subject *subject, struct value v, bool *changes);

/* The constant c if v is of ^ c; VALUE_NONE: it is not. v: not VALUE_NONE. */
struct value value_inverted_bits(const struct subject *subject, struct value of, struct value v);

/* The value of a register that a loop counts on, or that it turns to and fro by xor with bits that
 * are 0 at first, before the loop does so; other values as they are. It need not be fixed: another
 * loop may be around that one. VALUE_NONE: the register changes otherwise. */
struct value value_at_first(const struct subject *subject, struct value v);

/* The number of definitions of the register; *last: the last of them in the text. */
uint32_t value_definitions(const struct subject *subject, uint32_t web, uint32_t *last);

/* The uses that write the register, from the last one in the text to the first. NO_WRITE: there are
 * no more. value_write_instr: the instruction of such a use. */
#define NO_WRITE UINT32_MAX
uint32_t value_last_write(const struct subject *subject, uint32_t web);
uint32_t value_write_before(const struct subject *subject, uint32_t write);
uint32_t value_write_instr(const struct subject *subject, uint32_t write);

/* The value that the instruction computes into its first operand, whatever other definitions that
 * has; VALUE_NONE if it is not understood. */
struct value value_computed(const struct subject *subject, uint32_t instr);

/* True if the instruction writes that value to web or, if *opposite is set, its negation. Of
 * several destinations that is the first of p|q and the last of elect's; never an element of a
 * list. */
bool value_is_computed(const struct subject *subject, uint32_t instr, uint32_t web, bool *opposite);

/* The name of a register that nothing writes; empty for other registers. */
struct str value_name(const struct subject *subject, uint32_t web);

/* v is the address of a variable, or of a place at a constant distance from it. */
bool value_is_variable(const struct subject *subject, struct value v);

struct value value_sum(const struct subject *subject, struct value a, struct value b);

/* The predicate a == b. */
struct value value_equal(const struct subject *subject, struct value a, struct value b);

#endif
