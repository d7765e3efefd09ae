/* The shared memory that an instruction touches, through which proxy, and between which bounds. */
#ifndef PTXOPT_VALUE_SMEM_H
#define PTXOPT_VALUE_SMEM_H

#include "base/vec.h"
#include "value/expr.h"
#include "value/subject.h"

/* What one operand of an instruction says. */
struct smem_access {
    uint32_t instr, operand;
    bool descriptor; /* the operand is a matrix descriptor; else an address in brackets */
    bool async;      /* through the asynchronous proxy: mma, cp, bulk copies */
    bool copy;       /* a bulk one, or of more than one row */
    bool word;       /* an mbarrier, or where tcgen05.alloc writes to: no data */
    bool writes;     /* else it only reads */
    uint32_t size;   /* at least so many bytes of each thread */
    bool whole;      /* and no more */
};

struct smem_accesses VEC(struct smem_access);

/* Those of ld, st, atom, red, ldmatrix, stmatrix, cp.async, bulk copies, the descriptors of
 * tcgen05.mma and cp, clusterlaunchcontrol.try_cancel, mbarrier.* and tcgen05.alloc that name no
 * other state space, so that a generic address counts; in the order of the text, for vec_free.
 * Calls and other instructions may touch shared memory, too. */
struct smem_accesses smem_accesses_find(const struct subject *subject);

/* Bytes [first, end) after base, which never changes and is the same for all threads of the CTA. */
struct smem_range {
    bool known;
    uint32_t base;      /* of a value */
    int64_t first, end; /* end INT64_MAX: not known */
};

/* Between which no thread that comes to the access touches anything else; not known of a descriptor
 * and where a part of the address has no bounds. */
struct smem_range smem_range_of(const struct subject *subject, const struct smem_access *access);

/* They have no byte in common for sure. */
bool smem_ranges_apart(const struct smem_range *a, const struct smem_range *b);

/* The same is known of both. */
bool smem_ranges_same(const struct smem_range *a, const struct smem_range *b);

#endif
