/* The lanes of a warp that can be at a place together. Predicates over %tid.x, %laneid and
 * elect.sync are tried out for each lane of each warp that a CTA may have. */
#ifndef PTXOPT_VALUE_LANES_H
#define PTXOPT_VALUE_LANES_H

#include "value/conditions.h"

/* What the function's head says of the CTA's shape (.reqntid, .reqnctapercluster); 0 where it does
 * not. */
struct lanes_shape {
    uint32_t warps; /* how many there are, for sure */
    bool cluster;   /* it is one of several in a cluster, for sure */
    bool folded;    /* a row of threads is not a multiple of a warp: %tid.x is not a lane */
    bool row;       /* one row of threads, all in whole warps: %tid.x says which, for sure */
};

struct lanes_shape lanes_shape_of(const struct subject *subject);

/* Under those conditions some lanes of a warp are there without the others of that warp, whenever
 * any is; not only perhaps. */
bool lanes_apart(const struct subject *subject, const struct lanes_shape *shape,
                 const struct condition_set *set);

/* Some thread can meet all of them; without a cluster for sure, one of the cluster's first CTA. */
bool lanes_any(const struct subject *subject, const struct lanes_shape *shape,
               const struct condition_set *set);

/* Some warp has a thread that can meet all of a, and none that can meet all of b. */
bool lanes_other_warp(const struct subject *subject, const struct lanes_shape *shape,
                      const struct condition_set *a, const struct condition_set *b);

/* How many threads of a CTA may be at a place. */
struct lanes_number {
    uint32_t least, most; /* threads; least 0 when a thread may be absent for an unknown reason */
    uint32_t lanes;       /* at least so many of one warp, whenever any is there; 0: not known */
    uint32_t warps;       /* at most so many warps */
};

/* Those that can meet all of set. */
struct lanes_number lanes_count(const struct subject *subject, const struct lanes_shape *shape,
                                const struct condition_set *set);

/* The predicate is known of each thread by its place in the CTA. */
bool lanes_know(const struct subject *subject, struct value predicate);

#endif
