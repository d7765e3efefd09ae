/* The part of tensor memory that an instruction touches (ISA, "Tensor Memory Addressing": an
 * address is a lane in the upper half and a column of 32 bits in the lower one). */
#ifndef PTXOPT_VALUE_TMEM_H
#define PTXOPT_VALUE_TMEM_H

#include "value/values.h"

enum tmem_access { TMEM_NONE, TMEM_READS, TMEM_WRITES };

/* Columns [first, first + count) of what base is. */
struct tmem_range {
    struct value address; /* as written */
    struct value base;    /* the address without lanes and column */
    int64_t first;
    uint32_t count; /* 0: not known; at least one is touched */
    uint32_t most;  /* at most this many; 0: not known */
    bool all_lanes; /* mma, cp, shift: not only those of the warp's own part */
    enum tmem_access access;
};

/* The ranges that the instruction (ld, st, mma, cp, shift) touches: at most TMEM_RANGES_MAX;
 * returns how many, 0 when nothing is known. The accumulator of an mma is written (and read); its A
 * or scale operands in tensor memory are read. */
enum { TMEM_RANGES_MAX = 4 };
uint32_t tmem_ranges(const struct subject *subject, uint32_t instr, struct tmem_range *ranges);

/* Both touch the same cells for sure: the same fixed base and columns that are constants; and the
 * same lanes, or one of them all. */
bool tmem_overlap(const struct subject *subject, const struct tmem_range *a,
                  const struct tmem_range *b);

/* They touch no common cell for sure: constant columns of the same fixed base. */
bool tmem_apart(const struct subject *subject, const struct tmem_range *a,
                const struct tmem_range *b);

#endif
