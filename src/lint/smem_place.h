/* The place of shared memory that an access most likely touches. Where value/smem.h has no bounds,
 * an address is followed back to what it was made of: the symbol or register that all threads of
 * the CTA have in common, and a constant. Matrix descriptors are addresses in units of 16 bytes
 * (ISA, "Shared memory descriptor"). */
#ifndef PTXOPT_LINT_SMEM_PLACE_H
#define PTXOPT_LINT_SMEM_PLACE_H

#include "lint/lint.h"
#include "value/smem.h"
#include "value/values.h"

struct smem_place {
    uint32_t instr;
    bool async; /* through the asynchronous proxy: mma, cp, bulk copies */
    bool copy;  /* a bulk one: of more than one row */
    bool writes;
    struct value base; /* what is the same for the CTA and fixed, without constants */
    int64_t first;     /* bytes after base */
    uint32_t size;     /* at least so many bytes */
    bool lanes;        /* threads differ in a part that is not in first */
    bool moves;        /* so do rounds of a loop */
    bool ring;         /* … and set it back: a stage of a ring */
    int64_t back;      /* bytes after base of the first thread in the round when it is set back */
    bool around;       /* swizzled by bits of the address itself: somewhere in the tile at first */
    int64_t lowest;    /* bytes after base of the first thread that comes there, as far as known */
    int64_t object;    /* where the object there begins: at the last known place up to lowest */
    struct smem_range range; /* what is certain of it */
    bool shared;             /* copies write there, too, or a loop iterates over an array */
};

struct smem_places {
    struct smem_place *at; /* in the order of the text */
    uint32_t count, cap;
    uint32_t *of; /* by instruction: the first of its places; count when it has none */
};

/* Those that are understood, in the order of the text. Found when first needed; smem_places_free
 * of lint frees them. */
struct smem_places smem_places_find(struct lint *lint);
void smem_places_free(struct lint *lint);

/* The first of those that instr touches, in places; *count: how many there are. */
const struct smem_place *smem_places_of(const struct smem_places *places, uint32_t instr,
                                        uint32_t *count);

/* Some byte is touched by both for certain, or, where a loop iterates an array, by both in the same
 * round. Threads that each store at an own place store what is read asynchronously from the
 * beginning of the object that these places are in, unless copies fill that; and so do those read
 * that each read an own place from where a copy begins. */
bool smem_places_meet(const struct smem_place *a, const struct smem_place *b);

/* They meet the same others. */
bool smem_places_alike(const struct smem_place *a, const struct smem_place *b);

#endif
