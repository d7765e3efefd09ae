/* Decides whether a commit can replace a fence::before. The commit must track everything that the
 * fence orders (ISA 9.7.16.6.2.1.1). The search goes backwards from many fences at once. */
#ifndef PTXOPT_ORDER_TRACKED_H
#define PTXOPT_ORDER_TRACKED_H

#include "order/scan.h"

/* What may prevent the replacement, since the last unguarded fence::before. The scan stops if it is
 * found. */
enum tracked_question {
    /* A call, or the edge of a .func: any operation may have been issued before it. */
    TRACKED_HIDDEN,
    /* A load or store, with or without a wait for it, or a wait: no commit tracks these. */
    TRACKED_OTHERS,
    /* As TRACKED_OTHERS, since the last fence of either kind, and only without a wait for it. */
    TRACKED_OTHERS_IN_FLIGHT,
    /* A fence::after or a call with no unguarded mma, cp or shift after it. The fence passes on
     * what was taken over there; a commit passes that on only through an operation that it
     * certainly tracks. */
    TRACKED_RELAYED,
    /* An mma, cp or shift, which the commit tracks. It does not prevent the replacement. */
    TRACKED_ANY,
    TRACKED_QUESTIONS
};

extern const struct cover_table tracked_tables[TRACKED_QUESTIONS];

/* Sets answers[k].found to SCAN_STOP if the question is true for sites[k]. open: see scan_run. */
void tracked_scan(const struct analysis *analysis, enum tracked_question question,
                  const uint32_t *sites, uint32_t count, const struct verdict *open,
                  struct scan_answer *answers);

#endif
