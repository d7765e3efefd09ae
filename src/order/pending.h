/* Which asynchronous operations may a synchronisation still have to order? For people to read: the
 * nearest ones, found by walking back so far and no farther. */
#ifndef PTXOPT_ORDER_PENDING_H
#define PTXOPT_ORDER_PENDING_H

#include "base/vec.h"
#include "order/analysis.h"

/* What is asked for, as bits. A load that a wait::ld has completed is not pending, nor a store
 * behind a wait::st. */
enum pending_ask {
    PENDING_LD = 1 << 0,
    PENDING_ST = 1 << 1,
    PENDING_PIPE = 1 << 2,               /* mma, cp, shift */
    PENDING_SINCE_FENCE_BEFORE = 1 << 3, /* forget what an earlier fence::before ordered */
    PENDING_SINCE_FENCE = 1 << 4,        /* … or any earlier fence */
    PENDING_ASYNC = PENDING_LD | PENDING_ST | PENDING_PIPE,
};

/* Events walked over at the most. */
enum { PENDING_WALK = 1024 };

struct pending {
    struct VEC(uint32_t) ops; /* instructions, each once */
    /* Set when a call or the edge of a .func hides operations that cannot be listed. */
    enum reason hidden;
};

/* Collects what is pending just before site in the thinned program, the candidate at site being
 * gone. Free with pending_free. */
void pending_collect(struct pending *pending, const struct analysis *analysis, uint32_t site,
                     unsigned ask);
void pending_free(struct pending *pending);

#endif
