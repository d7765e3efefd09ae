/* The shared memory that an instruction accesses, through which proxy, and within which bounds. */
#ifndef PTXOPT_VALUE_SMEM_H
#define PTXOPT_VALUE_SMEM_H

#include "value/expr.h"
#include "value/subject.h"

/* An access by one operand of an instruction. */
struct smem_access {
    uint32_t instr, operand;
    bool descriptor; /* the operand is a matrix descriptor, not an address in brackets */
    bool async;      /* through the asynchronous proxy: mma, cp, bulk copies */
    bool copy;       /* a bulk copy, or of more than one row */
    bool word;       /* an mbarrier, or the word that tcgen05.alloc writes: no data */
    bool writes;     /* it writes; otherwise it only reads */
    uint32_t size;   /* at least this many bytes for each thread */
    bool whole;      /* exactly size bytes */
};

struct smem_accesses {
    const struct smem_access *at;
    uint32_t count;
};

/* The accesses of ld, st, atom, red, ldmatrix, stmatrix, cp.async, bulk copies, the descriptors of
 * tcgen05.mma and cp and of wgmma.mma_async, clusterlaunchcontrol.try_cancel, mbarrier.* and
 * tcgen05.alloc that name no other state space, so generic addresses are included. In the order of
 * the text. Calls and other instructions may access shared memory as well. Found on the first call;
 * in subject->arena. */
const struct smem_accesses *smem_accesses_find(struct subject *subject);

/* Bytes [first, end) after base, which never changes and is the same for all threads of the CTA. */
struct smem_range {
    bool known;
    uint32_t base;      /* base of a struct value */
    int64_t first, end; /* end INT64_MAX: not known */
};

/* Bounds within which all threads that execute the access touch memory. Not known for a descriptor,
 * or if a part of the address has no bounds. */
struct smem_range smem_range_of(const struct subject *subject, const struct smem_access *access);

/* The ranges have no byte in common. False if that is unknown. */
bool smem_ranges_apart(const struct smem_range *a, const struct smem_range *b);

/* Both have the same base and the same bounds. */
bool smem_ranges_same(const struct smem_range *a, const struct smem_range *b);

#endif
