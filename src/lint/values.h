/* What does a register hold, as far as the text tells? Values that are equal for sure are one
 * expression and an offset, however they were computed. */
#ifndef PTXOPT_LINT_VALUES_H
#define PTXOPT_LINT_VALUES_H

#include "lint/lint.h"

/* base + offset; base 0 is no expression: the offset is a constant. Of a predicate the offset is 0,
 * or 1 for the opposite of what base says. */
struct value {
    uint32_t base;
    int64_t offset;
};

#define VALUE_NONE ((struct value){UINT32_MAX, 0})

enum expr_kind {
    EXPR_NAME,      /* a symbol, parameter or special register, by its name */
    EXPR_PARAMETER, /* what the parameter a[0] holds */
    EXPR_ALLOCATED, /* tensor-memory address that tcgen05.alloc wrote to the address a[0] */
    EXPR_LOADED,    /* by the instruction */
    EXPR_SUM,       /* a[0] + a[1], constants apart; sorted */
    EXPR_PRODUCT,   /* a[0] times the constant a[1] */
    EXPR_EQ,        /* a[0] == a[1] */
    EXPR_LT_S,      /* a[0] < a[1], signed */
    EXPR_LT_U,      /* … unsigned */
    EXPR_AND,       /* of two predicates */
    EXPR_OR,
    EXPR_SELECT,  /* a[2] ? a[0] : a[1] */
    EXPR_ELECTED, /* this lane is the one that elect.sync chooses among those of the mask a[0] */
    EXPR_OP,      /* anything else that only computes: by spelling and arguments */
    EXPR_REG,     /* a register of several definitions, or one that is not understood: at the
                     instruction, which may be NO_INSTR */
};

/* How the lanes of a warp have it. */
enum spread {
    SPREAD_SAME, /* all lanes of a warp have the same, if they got it together */
    SPREAD_UNKNOWN,
    SPREAD_LANES, /* they differ for sure */
};

struct expr {
    uint8_t kind;   /* enum expr_kind */
    uint8_t spread; /* enum spread */
    bool fixed;     /* a thread never sees another value of it: no loop changes it */
    bool of_block;  /* all threads of the CTA have the same */
    bool of_thread; /* it says which thread of the CTA this is: only %tid and the like are in it */
    bool not_negative;
    bool counts_lanes; /* it is one more from each lane of a warp to the next, from a multiple of 32
                        */
    uint8_t zero_bits; /* this many low bits are 0 */
    uint16_t size;     /* of its tree; a constant has none */
    uint32_t spelling; /* of EXPR_OP */
    reg_id reg;        /* of EXPR_NAME, EXPR_REG */
    uint32_t instr;    /* of EXPR_LOADED, EXPR_REG */
    struct value a[3];
};

struct values *values_build(struct lint *lint);
void values_free(struct values *values);

/* What reg holds wherever it is defined; of a register with several definitions an EXPR_REG that
 * is not fixed. */
struct value value_of(const struct lint *lint, reg_id reg);

/* Of operand n: a register, number, name, or address within brackets. VALUE_NONE when it is not
 * there, or a list. */
struct value value_of_operand(const struct lint *lint, uint32_t instr, uint32_t n);

/* A predicate: true when the instruction runs. Of one without a guard the
 * constant 1. */
struct value value_of_guard(const struct lint *lint, uint32_t instr);

/* Constants wrap, as registers of 64 bits do. */
static inline int64_t plus_wrapped(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t minus_wrapped(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t times_wrapped(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static inline bool value_is_none(struct value v)
{
    return v.base == UINT32_MAX;
}

static inline bool value_is_constant(struct value v)
{
    return v.base == 0;
}

static inline bool value_same(struct value a, struct value b)
{
    return a.base == b.base && a.offset == b.offset && !value_is_none(a);
}

/* It says which warp of the CTA this is, and is the same for all its lanes. */
static inline bool expr_is_of_warp(const struct expr *e)
{
    return e->of_thread && e->spread == SPREAD_SAME && !e->of_block;
}

/* What base stands for; of a constant a row of its own that is fixed. */
const struct expr *value_expr(const struct lint *lint, struct value v);

/* True when every evaluation by one thread gives the same. */
bool value_is_fixed(const struct lint *lint, struct value v);

/* The expression for the value without those terms that are a multiple of unit, a power of two:
 * of a tensor-memory address with unit 65536 what is left is the column, lanes apart. */
struct value value_without_multiples(const struct lint *lint, struct value v, int64_t unit);

/* The value without those terms that are not fixed; *changes says whether there were any. A value
 * that only is fixed or not as a whole, and is not, is VALUE_NONE. */
struct value value_fixed_part(const struct lint *lint, struct value v, bool *changes);

/* How many definitions the register has, and the last of them in the text. */
uint32_t value_definitions(const struct lint *lint, reg_id reg, uint32_t *last);

/* What instruction i computes into its first operand, whatever other definitions that has;
 * VALUE_NONE when it is not understood. */
struct value value_computed(const struct lint *lint, uint32_t instr);

/* How a register that nothing writes is spelled; empty for others. */
struct str value_name(const struct lint *lint, reg_id reg);

struct value value_sum(const struct lint *lint, struct value a, struct value b);

/* The predicate a == b. */
struct value value_equal(const struct lint *lint, struct value a, struct value b);

#endif
