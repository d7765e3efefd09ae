/* Finds out whether the removal of a fence loses an order: a forward scan carries what the
 * fence provides, until another instruction provides it or an observer needs it. order/window.h
 * finds the operations after the fence. */
#ifndef PTXOPT_ORDER_LOSS_H
#define PTXOPT_ORDER_LOSS_H

#include "order/scan.h"

/* What may be lost, as the scan's state. */
enum {
    LOST_ISSUE = 1, /* later async operations come after the earlier ones (G4 and G5, literally) */
    LOST_PUBLISH = 2,       /* the next ordering operation or commit comes after the earlier ones */
    LOST_BEYOND_COMMIT = 4, /* … but a commit does the same for barriers */
};

/* Without and with a commit that replaces the fence. */
extern const struct cover_table loss_tables[2];

/* answers[k]: whether lost is needed after at[k]; SCAN_STOP if so. commit_stands_in: what is to
 * be published is what a commit tracks; without it a commit is a stop with REASON_UNTRACKED.
 * commit-fences is noted as used where one replaces the fence. open: see scan_run. */
void loss_scan(const struct analysis *analysis, const uint32_t *at, uint32_t count, unsigned lost,
               bool commit_stands_in, const struct verdict *open, struct scan_answer *answers);

#endif
