/* What is lost when a fence goes: a forward walk that carries what the fence would have given,
 * until something else gives it or somebody needs it. */
#ifndef PTXOPT_ORDER_LOSS_H
#define PTXOPT_ORDER_LOSS_H

#include "order/pair.h"
#include "order/pending.h"

/* What may be lost, as a walk's state. */
enum {
    LOST_ISSUE = 1, /* later async operations come after the earlier ones (G4 and G5, literally) */
    LOST_PUBLISH = 2, /* the next release or commit publishes the earlier ones (fence::before) */
};

struct loss {
    const struct facts *facts;
    const struct pending *unordered; /* async operations since the last fence */
    uint32_t untracked;    /* an un-waited ld/st, which no commit publishes; or NO_WITNESS */
    bool met_async;        /* an asynchronous operation came, and nothing stopped there */
    struct pair_regs regs; /* they must not change: see pair_regs_unchanged */
    struct verdict verdict;
};

/* Walks on from behind site with lost; loss->verdict.reason is REASON_NONE when nobody misses it.
 * commit-fences is noted as used where a commit stands in. */
void loss_walk(struct loss *loss, uint32_t site, unsigned lost);

#endif
