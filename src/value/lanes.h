/* The lanes of a warp that can be at a place together. Predicates over %tid.x, %laneid and
 * elect.sync are evaluated for each lane of each warp that a CTA can have. */
#ifndef PTXOPT_VALUE_LANES_H
#define PTXOPT_VALUE_LANES_H

#include "value/conditions.h"

/* The shape of the CTA, from the head of the function (.reqntid, .maxntid, .reqnctapercluster); 0
 * and false if that is not given. */
struct lanes_shape {
    uint32_t warps; /* number of warps */
    uint32_t limit; /* if the number is not given: at most this many */
    bool cluster;   /* the CTA is one of several in a cluster */
    bool folded;    /* a row of threads is no multiple of a warp: %tid.x gives no lane */
    bool row;       /* the CTA is one row of complete warps, so %tid.x gives warp and lane */
    uint32_t ctas;  /* number of CTAs in a cluster */
    bool cta_row;   /* the cluster is one row, so %ctaid.x modulo ctas is the rank of the CTA */
};

struct lanes_shape lanes_shape_of(const struct subject *subject);

/* The most warps that the CTA can have. */
uint32_t lanes_warps_at_most(const struct lanes_shape *shape);

/* Under the set, if any lane of some warp is there, it is there without other lanes of that warp.
 * True only if that is certain. */
bool lanes_apart(const struct subject *subject, const struct lanes_shape *shape,
                 const struct condition_set *set);

/* Some thread can meet the set. Unless the CTA is known to be in a cluster, the thread is in the
 * first CTA of the cluster. */
bool lanes_any(const struct subject *subject, const struct lanes_shape *shape,
               const struct condition_set *set);

/* Some warp has a thread that can meet a, and no thread that can meet b. */
bool lanes_other_warp(const struct subject *subject, const struct lanes_shape *shape,
                      const struct condition_set *a, const struct condition_set *b);

/* The warps of which some thread may meet all conditions of the set, as bits. *sure: they certainly
 * do, apart from conditions that are the same for the whole CTA. */
uint32_t lanes_warps(const struct subject *subject, const struct lanes_shape *shape,
                     const struct condition_set *set, bool *sure);

/* The warps of which some thread may execute the instruction, as bits. Call condition_pairs_build
 * first. */
uint32_t lanes_warps_at(const struct subject *subject, const struct lanes_shape *shape,
                        uint32_t instr);

/* How many threads of a CTA may be at a place. */
struct lanes_number {
    uint32_t least, most; /* threads; least is 0 if a thread may be absent for an unknown reason */
    uint32_t lanes;       /* if any is there, at least so many lanes of its warp; 0: not known */
    uint32_t warps;       /* at most this many warps */
};

/* The threads that can meet the set. */
struct lanes_number lanes_count(const struct subject *subject, const struct lanes_shape *shape,
                                const struct condition_set *set);

/* For each thread, the value of the predicate follows from the place of the thread in the CTA. */
bool lanes_know(const struct subject *subject, struct value predicate);

#endif
