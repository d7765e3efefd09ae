/* Decides whether a commit can replace a fence::before. The commit must track everything that the
 * fence orders (ISA 9.7.16.6.2.1.1). The search goes backwards from many fences at once. */
#ifndef PTXOPT_ORDER_TRACKED_H
#define PTXOPT_ORDER_TRACKED_H

#include "order/scan.h"

/* What prevents it since the last unguarded fence::before, as the reason a scan stops for. */
enum tracked_question {
    /* A call, or the edge of a .func, after which anything may have been issued. */
    TRACKED_HIDDEN,
    /* A load or store, waited for or not, or a wait: no commit tracks those. */
    TRACKED_OTHERS,
    /* The same since the last fence of either kind, but only what is not waited for. */
    TRACKED_OTHERS_IN_FLIGHT,
    /* A fence::after or call with no unguarded mma, cp or shift after it: the fence passes on what
     * was taken over there; a commit does only through an operation that it certainly tracks. */
    TRACKED_RELAYED,
    /* Not against it: an mma, cp or shift, which the commit tracks. */
    TRACKED_ANY,
    TRACKED_QUESTIONS
};

extern const struct cover_table tracked_tables[TRACKED_QUESTIONS];

/* answers[k].found is SCAN_STOP where that is the case at sites[k]. open: see scan_run. */
void tracked_scan(const struct analysis *analysis, enum tracked_question question,
                  const uint32_t *sites, uint32_t count, const struct verdict *open,
                  struct scan_answer *answers);

#endif
