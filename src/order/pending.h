/* Which asynchronous operations may a synchronisation still have to order? */
#ifndef PTXOPT_ORDER_PENDING_H
#define PTXOPT_ORDER_PENDING_H

#include "base/vec.h"
#include "order/facts.h"

/* What is asked for, as bits. A load that a wait::ld has completed is not pending, nor a store
 * behind a wait::st. */
enum pending_ask {
    PENDING_LD = 1 << 0,
    PENDING_ST = 1 << 1,
    PENDING_PIPE = 1 << 2,               /* mma, cp, shift */
    PENDING_SINCE_FENCE_BEFORE = 1 << 3, /* forget what an earlier fence::before ordered */
    PENDING_SINCE_FENCE = 1 << 4,        /* … or any earlier fence */
    PENDING_EVEN_WAITED = 1 << 5,        /* a wait has completed it, but nothing published that */
    PENDING_ASYNC = PENDING_LD | PENDING_ST | PENDING_PIPE,
};

struct pending {
    struct VEC(uint32_t) ops; /* instructions, each once */
    uint32_t wait; /* a wait that the walk met, or NO_WITNESS */
    /* Set when a call or the edge of a .func hides operations that cannot be listed. */
    enum reason hidden;
    uint32_t hidden_at;
};

/* Collects what is pending just before site in the thinned program, the candidate at site being
 * gone. Free with pending_free. */
void pending_collect(struct pending *pending, const struct facts *facts, uint32_t site,
                     unsigned ask);
void pending_free(struct pending *pending);

/* A pending load or store, or a wait, which a commit does not track; NO_WITNESS without any. */
uint32_t pending_untracked(const struct pending *pending, const struct facts *facts);

/* What is outstanding at a wait of the other kind: an mma, cp or shift that no commit tracks, or a
 * store (load) not waited for, at a wait::ld (st). NO_WITNESS without any; calls are passed over. */
uint32_t pending_meant(const struct facts *facts, uint32_t site);

#endif
