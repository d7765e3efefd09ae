/* What is lost when a fence goes: a forward walk that carries what the fence would have given,
 * until something else gives it or somebody needs it. */
#ifndef PTXOPT_ORDER_LOSS_H
#define PTXOPT_ORDER_LOSS_H

#include "order/pair.h"
#include "order/pending.h"

/* What may be lost, as a walk's state. */
enum {
    LOST_ISSUE = 1, /* later async operations come after the earlier ones (G4 and G5, literally) */
    LOST_PUBLISH = 2, /* the next ordering operation or commit comes after the earlier ones */
    LOST_BEYOND_COMMIT = 4, /* … but a commit does the same for barriers */
};

struct loss {
    const struct facts *facts;
    const struct pending *unordered; /* async operations since the last fence */
    uint32_t untracked;    /* an un-waited ld/st, which no commit publishes; or NO_WITNESS */
    bool met_async;        /* an asynchronous operation came, and nothing stopped there */
    uint32_t relayed;      /* what a commit may not pass on: see loss_find_relayed */
    struct pair_regs regs; /* they must not change: see pair_regs_unchanged */
    struct verdict verdict;
};

/* A fence::before passes on what a fence::after before it has taken over. A commit does so only
 * through an mma, cp or shift that it certainly tracks. The fence::after, call or (site itself) edge of
 * a .func behind which, on some path to site, no such operation comes; NO_WITNESS without any. */
uint32_t loss_find_relayed(const struct facts *facts, uint32_t site);

/* Walks on from behind site with lost; loss->verdict.reason is REASON_NONE when nobody misses it.
 * commit-fences is noted as used where a commit stands in. */
void loss_walk(struct loss *loss, uint32_t site, unsigned lost);

#endif
