/* Values, and the table of the expressions from which they are made. Equal expressions have the
 * same row. */
#ifndef PTXOPT_VALUE_EXPR_H
#define PTXOPT_VALUE_EXPR_H

#include "base/vec.h"
#include "ptx/view.h"

enum { WARP = 32 }; /* lanes of a warp */

/* base + offset, where base is a row of the table. base 0: the value is the constant offset. For a
 * predicate, the offset is 0, or 1 for the negation of base. */
struct value {
    uint32_t base;
    int64_t offset;
};

#define VALUE_NONE ((struct value){UINT32_MAX, 0})

enum expr_kind {
    EXPR_NAME,      /* a symbol, parameter or special register, by name */
    EXPR_PARAMETER, /* the value of the parameter a[0] */
    EXPR_ALLOCATED, /* the tensor memory address that tcgen05.alloc wrote to the address a[0] */
    EXPR_LOADED,    /* loaded by the instruction */
    EXPR_SUM,       /* a[0] + a[1] without constants; sorted */
    EXPR_PRODUCT,   /* a[0] times the constant a[1] */
    EXPR_EQ,        /* a[0] == a[1] */
    EXPR_LT_S,      /* a[0] < a[1], signed */
    EXPR_LT_U,      /* a[0] < a[1], unsigned */
    EXPR_AND,       /* of two predicates */
    EXPR_OR,
    EXPR_SELECT,  /* a[2] ? a[0] : a[1] */
    EXPR_ELECTED, /* this lane is the one that elect.sync chooses among the mask a[0] */
    EXPR_OP,      /* anything else that only computes, by spelling and arguments */
    EXPR_REG, /* a register with several definitions, or one that is not understood: its value at
                 the instruction, which may be NO_INSTR */
};

/* How the value differs among the lanes of a warp. */
enum spread {
    SPREAD_SAME, /* the same in all lanes of a warp that compute it together */
    SPREAD_UNKNOWN,
    SPREAD_LANES, /* it certainly differs */
};

struct expr {
    uint8_t kind;   /* enum expr_kind */
    uint8_t spread; /* enum spread */
    bool fixed;     /* a thread always sees the same value: no loop changes it */
    bool of_block;  /* the same for all threads of the CTA */
    bool of_thread; /* depends only on the thread number, such as %tid */
    bool not_negative;
    bool counts_lanes; /* it increases by one from each lane of a warp to the next, starting at a
                          multiple of 32 */
    uint8_t zero_bits; /* this many low bits are 0 */
    uint16_t size;     /* of its tree; a constant has none */
    uint32_t root;     /* the row from which operations and comparisons with constants compute
                          this one; else this row; set by exprs_add */
    uint32_t spelling; /* of EXPR_OP */
    uint32_t web;      /* of EXPR_NAME, EXPR_REG */
    uint32_t instr;    /* of EXPR_LOADED, EXPR_REG */
    struct value a[3];
};

/* Constants wrap, like 64-bit registers. */
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

/* False if the value is VALUE_NONE. */
static inline bool value_is_constant(struct value v)
{
    return v.base == 0;
}

static inline bool value_same(struct value a, struct value b)
{
    return a.base == b.base && a.offset == b.offset && !value_is_none(a);
}

static inline struct value exprs_constant(int64_t constant)
{
    return (struct value){0, constant};
}

/* The negation of a predicate. */
static inline struct value exprs_not(struct value predicate)
{
    if (!value_is_none(predicate)) predicate.offset ^= 1;
    return predicate;
}

/* The value depends on the warp only: it is the same for all its lanes. */
static inline bool expr_is_of_warp(const struct expr *e)
{
    return e->of_thread && e->spread == SPREAD_SAME && !e->of_block;
}

/* Values of spelling for operations that are understood: a right shift of a value that is not
 * negative, bitwise and, mapa. */
#define SPELLING_SHIFT_RIGHT (UINT32_MAX - 1)
#define SPELLING_AND (UINT32_MAX - 2)
#define SPELLING_MAPPED (UINT32_MAX - 3)

struct exprs {
    struct VEC(struct expr) rows; /* row 0 is for constants */
    uint32_t *slots;              /* a hash table of row numbers; 0: free */
    uint32_t slot_count;
};

static inline const struct expr *exprs_row(const struct exprs *exprs, struct value v)
{
    return &exprs->rows.at[v.base];
}

void exprs_init(struct exprs *exprs);
void exprs_free(struct exprs *exprs);

/* The row with the kind and arguments of `like`. If it is new, its other properties are copied from
 * `like`. VALUE_NONE if the expression would be larger than EXPR_SIZE_MAX; so recursion over an
 * expression, which visits shared parts repeatedly, is bounded. */
enum { EXPR_SIZE_MAX = 256 };
struct value exprs_add(struct exprs *exprs, const struct expr *like);

/* Stores the terms of the sum base, without its constant, in terms, which must have room for
 * EXPR_TERMS_MAX. Returns their number. */
enum { EXPR_TERMS_MAX = 8 };
uint32_t exprs_terms(const struct exprs *exprs, uint32_t base, uint32_t *terms);

struct value exprs_sum(struct exprs *exprs, struct value a, struct value b);
struct value exprs_product(struct exprs *exprs, struct value a, int64_t factor);
struct value exprs_shift_right(struct exprs *exprs, struct value a, int64_t bits);
struct value exprs_and_bits(struct exprs *exprs, struct value a, struct value b);
/* VALUE_NONE unless no bit is set in both: then it is their sum. */
struct value exprs_or_bits(struct exprs *exprs, struct value a, struct value b);
struct value exprs_operation(struct exprs *exprs, uint32_t spelling, const struct value *a,
                             uint32_t count);

/* Operations on predicates. */
struct value exprs_compare(struct exprs *exprs, enum expr_kind kind, struct value a,
                           struct value b);
struct value exprs_both(struct exprs *exprs, struct value a, struct value b);
struct value exprs_either(struct exprs *exprs, struct value a, struct value b);
struct value exprs_select(struct exprs *exprs, struct value a, struct value b,
                          struct value predicate);

/* The sum without the terms that are not fixed; VALUE_NONE if none is fixed. */
struct value exprs_fixed_part(struct exprs *exprs, struct value v);
struct value exprs_without_multiples(struct exprs *exprs, struct value v, int64_t unit);

#endif
