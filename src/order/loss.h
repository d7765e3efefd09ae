/* Finds out whether the removal of a fence loses an order: a forward scan has the orders of the
 * fence as its state, until another instruction provides them or an observer needs them.
 * order/window.h finds the operations after the fence. */
#ifndef PTXOPT_ORDER_LOSS_H
#define PTXOPT_ORDER_LOSS_H

#include "order/scan.h"

/* The orders that may be lost, as bits of the state of the scan. */
enum {
    /* later asynchronous operations come after the earlier ones (G4 and G5, literally) */
    LOST_ISSUE = 1,
    LOST_PUBLISH = 2, /* the next ordering operation or commit comes after the earlier operations */
    /* as LOST_PUBLISH, behind a commit that provides the order for barriers only */
    LOST_BEYOND_COMMIT = 4,
};

/* [0]: a commit does not replace the fence; [1]: it does. */
extern const struct cover_table loss_tables[2];

/* Sets answers[k].found to SCAN_STOP if an order in `lost` (bits LOST_…) is needed after at[k].
 * commit_stands_in: a commit tracks all operations that the fence publishes; if false, a commit
 * stops the scan with REASON_UNTRACKED. The answer notes commit-fences if a commit replaces the
 * fence. at, count, open, answers: see scan_run. */
void loss_scan(const struct analysis *analysis, const uint32_t *at, uint32_t count, unsigned lost,
               bool commit_stands_in, const struct verdict *open, struct scan_answer *answers);

#endif
