/* Computes for which lanes of a warp a predicate is known, and for which it holds. Each predicate
 * is computed once for each warp, and kept. */
#ifndef PTXOPT_VALUE_LANE_MASKS_H
#define PTXOPT_VALUE_LANE_MASKS_H

#include "value/subject.h"

enum { LANE_WARPS_MAX = 32 }; /* warps of a CTA: 1024 threads */

/* Which lane elect.sync chooses of a whole warp. */
enum lane_elected { ELECTED_FIRST, ELECTED_LAST, ELECTED_NOT_KNOWN };

/* What is assumed of the threads. */
struct lane_view {
    enum lane_elected elected;
    bool first_of_cluster; /* they are of the first CTA of the cluster */
    bool one_launch;       /* of the first CTA, with half a warp in each parameter */
};

/* By lane, as bits: holds counts only where known is set. */
struct lane_masks {
    uint32_t known, holds;
};

/* Those of a function, all empty; in arena. */
struct lane_tables *lane_tables_build(struct arena *arena);

/* Of the predicate with that base and no offset, and of a warp below LANE_WARPS_MAX. */
struct lane_masks lane_masks_of(const struct subject *subject, const struct lane_view *view,
                                uint32_t warp, uint32_t base);

#endif
