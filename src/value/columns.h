/* Where a tcgen05.ld or .st begins and how many columns it touches, when its address is one
 * register's value plus a number (doc/model.md, section 5, "Other columns"). */
#ifndef PTXOPT_VALUE_COLUMNS_H
#define PTXOPT_VALUE_COLUMNS_H

#include "value/subject.h"

/* Columns [offset, offset + count) from a register that has a single value. */
struct column_range {
    uint32_t base;  /* 1 + the web of that register; 0: the address is a number */
    int64_t offset; /* of the whole address, lanes included; counts modulo 2^32 */
    uint32_t count; /* at most so many; 0: nothing is known of the range */
};

/* The results for webs: in the arena of subject, which subject_begin has been called for.
 */
struct columns;
struct columns *columns_build(const struct subject *subject);

/* The range of instruction instr, a tcgen05.ld or .st (ISA 9.7.16.2.3, 9.7.16.8.2 to 9.7.16.8.4).
 * Of ld.red, a shape that is not known, a vector of another length than the shape has, or an
 * address that is not "[register]", "[register+number]" or "[number]" nothing is known. */
struct column_range columns_touched(struct columns *columns, uint32_t instr);

/* They touch no common cell for sure, also where columns wrap at 512: one base, and numbers that
 * say so. */
bool columns_apart(const struct column_range *a, const struct column_range *b);

#endif
