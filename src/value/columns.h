/* Where a tcgen05.ld or tcgen05.st begins, and how many columns it accesses, if its address is the
 * value of one register plus a number (doc/model.md, section 5, "Other columns"). */
#ifndef PTXOPT_VALUE_COLUMNS_H
#define PTXOPT_VALUE_COLUMNS_H

#include "value/subject.h"

/* The columns [offset, offset + count), relative to a register that has a single value. */
struct column_range {
    uint32_t base;  /* 1 + that register; 0: the address is a number */
    int64_t offset; /* of the whole address, including lanes; modulo 2^32 */
    uint32_t count; /* at most this many columns; 0: the range is not known */
};

/* Keeps results for registers. In the arena of subject, for which subject_begin must not have been
 * called: a register with several definitions is not followed, so no webs are needed. */
struct columns;
struct columns *columns_build(struct subject *subject);

/* The range of instruction instr, a tcgen05.ld or tcgen05.st (ISA 9.7.16.2.3, 9.7.16.8.2 to
 * 9.7.16.8.4). Its count is 0 for ld.red, an unknown shape, a vector whose length does not match
 * the shape, and an address other than "[register]", "[register+number]" or "[number]". */
struct column_range columns_touched(struct columns *columns, uint32_t instr);

/* Both certainly access no common cell, also if columns wrap at 512: they have the same base, and
 * the numbers show it. */
bool columns_apart(const struct column_range *a, const struct column_range *b);

#endif
