/* Finds the asynchronous operations that a synchronisation may still have to order. The result is
 * for messages: the search is limited, so the list has the nearest operations and may be
 * incomplete. */
#ifndef PTXOPT_ORDER_OUTSTANDING_H
#define PTXOPT_ORDER_OUTSTANDING_H

#include "base/vec.h"
#include "order/analysis.h"

/* Which operations are collected, as bits. A load is not outstanding after a wait::ld, a store not
 * after a wait::st. */
enum outstanding_ask {
    OUTSTANDING_LD = 1 << 0,
    OUTSTANDING_ST = 1 << 1,
    OUTSTANDING_PIPE = 1 << 2,               /* mma, cp, shift */
    OUTSTANDING_SINCE_FENCE_BEFORE = 1 << 3, /* not before an earlier fence::before */
    OUTSTANDING_SINCE_FENCE = 1 << 4,        /* not before an earlier fence of either kind */
    OUTSTANDING_ASYNC = OUTSTANDING_LD | OUTSTANDING_ST | OUTSTANDING_PIPE,
};

/* The most events that the search visits. */
enum { OUTSTANDING_REACH = 1024 };

struct outstanding {
    struct VEC(uint32_t) ops; /* instructions, each once */
    /* The reason if a call or the edge of a .func hides operations; otherwise REASON_NONE. */
    enum reason hidden;
};

/* Collects the operations that are outstanding just before site in the thinned program, as if there
 * were no instruction at site. ask: bits OUTSTANDING_…. The caller calls outstanding_free. */
void outstanding_collect(struct outstanding *outstanding, const struct analysis *analysis,
                         uint32_t site, unsigned ask);
void outstanding_free(struct outstanding *outstanding);

#endif
