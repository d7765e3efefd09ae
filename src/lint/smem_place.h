/* The place of shared memory that an access most likely touches. If value/smem.h knows no bounds,
 * the address is traced to the symbol or register from which it is computed, which all threads of
 * the CTA share, and a constant. Matrix descriptors are addresses in units of 16 bytes (ISA,
 * "Shared memory descriptor"). */
#ifndef PTXOPT_LINT_SMEM_PLACE_H
#define PTXOPT_LINT_SMEM_PLACE_H

#include "lint/lint.h"
#include "value/smem.h"
#include "value/values.h"

struct smem_place {
    uint32_t instr;
    bool async; /* through the asynchronous proxy: mma, cp, bulk copies */
    bool copy;  /* a bulk copy, of more than one row */
    bool writes;
    struct value base; /* the part that is fixed and the same for the CTA, without constants */
    int64_t first;     /* bytes after base */
    uint32_t size;     /* at least this many bytes */
    bool lanes;        /* threads differ in a part that is not in first */
    bool moves;        /* iterations of a loop differ in such a part */
    bool ring;         /* and the loop sets it back: a stage of a ring */
    int64_t back;      /* bytes after base, for the first thread, when the loop sets it back */
    bool around; /* swizzled by bits of the address itself: first is only known to be in the tile */
    int64_t lowest; /* bytes after base for the first thread that reaches it, as far as known */
    int64_t object; /* start of the object that contains it: the last known start up to lowest */
    struct smem_range range; /* proven bounds */
    bool shared; /* copies also write the object, or a loop iterates over it as an array */
};

struct smem_places {
    struct smem_place *at; /* in the order of the text */
    uint32_t count, cap;
    uint32_t *of; /* by instruction: 1 + index of the first of its places; 0: none */
};

/* The places of all accesses that are understood, in the order of the text. Computed once;
 * smem_places_free frees them. */
struct smem_places smem_places_find(struct lint *lint);
void smem_places_free(struct lint *lint);

/* The places of the accesses of instr: a pointer to the first, or NULL, and their number in
 * *count. */
const struct smem_place *smem_places_of(const struct smem_places *places, uint32_t instr,
                                        uint32_t *count);

/* Both accesses certainly or most likely touch some common byte; in a loop over an array, in the
 * same iteration. Stores in which each thread writes its own part match an asynchronous read from
 * the start of the object that contains the parts, unless copies fill it too. Loads in which each
 * thread, or each iteration of a loop, reads its own part match a copy that begins at the lowest
 * part. */
bool smem_places_meet(const struct smem_place *a, const struct smem_place *b);

/* smem_places_meet has the same result for a and for b, with every third place. */
bool smem_places_alike(const struct smem_place *a, const struct smem_place *b);

#endif
