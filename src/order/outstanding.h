/* Finds the asynchronous operations that a synchronisation may still have to order. For people to
 * read: the nearest ones, found by going back so far and no farther. */
#ifndef PTXOPT_ORDER_OUTSTANDING_H
#define PTXOPT_ORDER_OUTSTANDING_H

#include "base/vec.h"
#include "order/analysis.h"

/* What is collected, as bits. A load that a wait::ld has completed is not outstanding, nor a store
 * after a wait::st. */
enum outstanding_ask {
    OUTSTANDING_LD = 1 << 0,
    OUTSTANDING_ST = 1 << 1,
    OUTSTANDING_PIPE = 1 << 2,               /* mma, cp, shift */
    OUTSTANDING_SINCE_FENCE_BEFORE = 1 << 3, /* forget what an earlier fence::before ordered */
    OUTSTANDING_SINCE_FENCE = 1 << 4,        /* … or any earlier fence */
    OUTSTANDING_ASYNC = OUTSTANDING_LD | OUTSTANDING_ST | OUTSTANDING_PIPE,
};

/* The most events visited. */
enum { OUTSTANDING_REACH = 1024 };

struct outstanding {
    struct VEC(uint32_t) ops; /* instructions, each once */
    /* Set when a call or the edge of a .func hides operations that cannot be listed. */
    enum reason hidden;
};

/* Collects what is outstanding just before site in the thinned program, without the candidate at
 * site. Free with outstanding_free. */
void outstanding_collect(struct outstanding *outstanding, const struct analysis *analysis,
                         uint32_t site, unsigned ask);
void outstanding_free(struct outstanding *outstanding);

#endif
