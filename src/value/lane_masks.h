/* Computes for which lanes of a warp a predicate is known, and for which it is true. Each predicate
 * is computed once for each warp. */
#ifndef PTXOPT_VALUE_LANE_MASKS_H
#define PTXOPT_VALUE_LANE_MASKS_H

#include "value/expr.h"
#include "value/subject.h"

enum { LANE_WARPS_MAX = 32 }; /* warps of a CTA: 1024 threads */

/* The lane that elect.sync chooses in a complete warp. */
enum lane_elected { ELECTED_FIRST, ELECTED_LAST, ELECTED_NOT_KNOWN };

/* What is assumed about the threads. */
struct lane_view {
    enum lane_elected elected;
    bool first_of_cluster; /* they are in the first CTA of the cluster */
    bool one_launch; /* they are in the first CTA of the grid, and each kernel parameter has the
                        value WARP / 2 */
};

/* Bits by lane. A bit in holds counts only if it is set in known. */
struct lane_masks {
    uint32_t known, holds;
};

/* Empty tables for a function, in arena. */
struct lane_tables *lane_tables_build(struct arena *arena);

/* The masks of the predicate with that base and offset 0. warp: below LANE_WARPS_MAX. */
struct lane_masks lane_masks_of(const struct subject *subject, const struct lane_view *view,
                                uint32_t warp, uint32_t base);

/* All lanes of the warp have the same value, and it follows from %tid.x: *number. warp: below
 * LANE_WARPS_MAX. */
bool lane_number_of(const struct subject *subject, uint32_t warp, struct value v, int64_t *number);

#endif
