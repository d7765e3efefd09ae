/* The part of tensor memory that an instruction accesses. An address has a lane in its upper half
 * and a 32-bit column in its lower half (ISA, "Tensor Memory Addressing"). */
#ifndef PTXOPT_VALUE_TMEM_H
#define PTXOPT_VALUE_TMEM_H

#include "value/values.h"

enum tmem_access { TMEM_NONE, TMEM_READS, TMEM_WRITES };

/* The columns [first, first + count) relative to base. */
struct tmem_range {
    struct value address; /* as written */
    struct value base;    /* the address without lanes and column */
    int64_t first;
    uint32_t count;   /* 0: not known; at least one column is accessed */
    uint32_t most;    /* at most this many columns; 0: not known */
    uint32_t operand; /* that is the address */
    uint8_t lanes; /* of each 32 lanes that are accessed: all, or 16 from that of the address on; 0:
                      not known */
    bool all_lanes; /* mma, cp, shift: not only the lanes of the warp's own part */
    enum tmem_access access;
};

/* Stores the ranges that the instruction (ld, st, mma, cp, shift) accesses, at most
 * TMEM_RANGES_MAX, and returns their number; 0 if nothing is known. The accumulator of an mma is
 * written (and read); its operands A and scale in tensor memory are read. */
enum { TMEM_RANGES_MAX = 4 };
uint32_t tmem_ranges(const struct subject *subject, uint32_t instr, struct tmem_range *ranges);

/* The term of the address that tcgen05.alloc wrote, which is the start of the allocation;
 * VALUE_NONE: not known. */
struct value tmem_allocated(const struct subject *subject, struct value address);

/* Both certainly access the same cells: the same fixed base, constant columns that overlap, and the
 * same lanes, or all lanes in one of them. */
bool tmem_overlap(const struct subject *subject, const struct tmem_range *a,
                  const struct tmem_range *b);

/* Both certainly access no common cell: different constant columns of the same fixed base, or the
 * one the first and the other the second 16 of each 32 lanes. */
bool tmem_apart(const struct subject *subject, const struct tmem_range *a,
                const struct tmem_range *b);

#endif
