/* Values and the table of the expressions that they are made of: equal ones are one row. */
#ifndef PTXOPT_VALUE_EXPR_H
#define PTXOPT_VALUE_EXPR_H

#include "base/vec.h"
#include "ptx/view.h"

enum { WARP = 32 }; /* lanes of a warp */

/* base + offset; base 0 is not an expression: the offset is a constant. Of a predicate the offset
 * is 0, or 1 for the opposite of what base says. */
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

/* How the lanes of a warp share it. */
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
    bool of_thread; /* it differs by thread of the CTA: only %tid and similar are in it */
    bool not_negative;
    bool counts_lanes; /* it is one more from each lane of a warp to the next, from a multiple of 32
                        */
    uint8_t zero_bits; /* this many low bits are 0 */
    uint16_t size;     /* of its tree; a constant has none */
    uint32_t root;     /* what it is part of, or compares, by operations with constants; set by
                          exprs_add */
    uint32_t spelling; /* of EXPR_OP */
    uint32_t web;      /* of EXPR_NAME, EXPR_REG */
    uint32_t instr;    /* of EXPR_LOADED, EXPR_REG */
    struct value a[3];
};

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

/* Instead of a spelling: a shift to the right of what is not negative, bitwise and, mapa. */
#define SPELLING_SHIFT_RIGHT (UINT32_MAX - 1)
#define SPELLING_AND (UINT32_MAX - 2)
#define SPELLING_MAPPED (UINT32_MAX - 3)

struct exprs {
    struct VEC(struct expr) rows; /* the first represents constants */
    uint32_t *slots;              /* a hash table of rows; 0: free */
    uint32_t slot_count;
};

static inline const struct expr *exprs_row(const struct exprs *exprs, struct value v)
{
    return &exprs->rows.at[v.base];
}

void exprs_init(struct exprs *exprs);
void exprs_free(struct exprs *exprs);

/* The row of that kind with those arguments; its other properties are copied from `like` when it is
 * new. VALUE_NONE for what would be larger than EXPR_SIZE_MAX, so that a walk through an
 * expression, as often as its parts occur in it, and by recursion, ends. */
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
