/* What the text of an opcode says. It is read once for each spelling in a function, however many
 * instructions have it. */
#ifndef PTXOPT_VALUE_SPELLED_H
#define PTXOPT_VALUE_SPELLED_H

#include <stdint.h>

#include "base/str.h"

/* What compute.c computes, by the opcode alone. */
enum operation {
    OPERATION_NOT_READ,
    OPERATION_ELECT,
    OPERATION_SHUFFLE,
    OPERATION_LOAD,
    OPERATION_NONE, /* the result has no expression */
    OPERATION_COMPARE,
    OPERATION_COPY, /* of its only argument */
    OPERATION_MAP,
    OPERATION_NOT, /* of a predicate, like the next three */
    OPERATION_BOTH,
    OPERATION_EITHER,
    OPERATION_XOR,
    OPERATION_SELECT,
    OPERATION_ADD,
    OPERATION_SUBTRACT,
    OPERATION_NEGATE,
    OPERATION_MULTIPLY,
    OPERATION_MULTIPLY_ADD,
    OPERATION_SHIFT_LEFT,
    OPERATION_SHIFT_RIGHT,
    OPERATION_AND_BITS,
    OPERATION_OR_BITS,
    OPERATION_XOR_BITS,
    OPERATION_NOT_BITS,
    OPERATION_DIVIDE,
    OPERATION_REMAINDER,
    OPERATION_LEAST,
    OPERATION_GREATEST,
    OPERATION_FIELD,
    OPERATION_MULTIPLY_HIGH,
    OPERATION_OTHER, /* an expression that is only equal to itself */
};

enum comparison {
    COMPARES_OTHERWISE,
    COMPARES_EQ,
    COMPARES_NE,
    COMPARES_LT,
    COMPARES_GE,
    COMPARES_GT,
    COMPARES_LE
};

struct arithmetic {
    uint8_t operation;  /* enum operation */
    uint8_t comparison; /* enum comparison, for OPERATION_COMPARE */
    bool is_signed;     /* for a comparison or shift */
    bool wide, narrow;  /* the type has 64 bits, or 32 */
    bool predicate;     /* the result is a predicate */
    bool of_constants;  /* the result is known if all arguments are constants */
};

enum { SPELLED_DOTS_MAX = 15 };

struct spelled {
    struct str opcode;              /* with its modifiers */
    struct str base;                /* its first word */
    uint64_t words;                 /* spelled_bit of each modifier */
    uint8_t dots[SPELLED_DOTS_MAX]; /* the offsets of the dots */
    uint8_t dot_count;              /* SPELLED_DOTS_MAX: they do not fit in dots */
    struct arithmetic arithmetic;
};

/* A bit for a modifier, which several modifiers may share. word: without its dot; n: its length, at
 * least 1. */
static inline uint64_t spelled_bit(const char *word, size_t n)
{
    unsigned first = (unsigned char)word[0], last = (unsigned char)word[n - 1];
    return 1ULL << ((first * 5 + last * 3 + (unsigned)n) & 63);
}

/* Fills in everything except the arithmetic. opcode is borrowed. */
void spelled_read(struct spelled *spelled, struct str opcode);

/* The opcode has that modifier, or these one after the other, such as ".shared::cta.global". n: the
 * length of modifier. */
bool spelled_has(const struct spelled *spelled, const char *modifier, size_t n);

/* The same for an opcode that is not split into words. */
bool spelled_text_has(struct str opcode, const char *modifier, size_t n);

#endif
