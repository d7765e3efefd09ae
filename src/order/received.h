/* Declines a fence::before that passes on what another thread has done. Without the fence,
 * causality passes it on if it was both received and published with causality (model G6). Decides
 * for many fences at once. */
#ifndef PTXOPT_ORDER_RECEIVED_H
#define PTXOPT_ORDER_RECEIVED_H

#include "order/scan.h"

enum received_question {
    /* Backward to the last unguarded fence: the thread may have received something without
     * causality. TRACKED_RELAYED covers what a fence::after has taken over. */
    RECEIVED_RELAXED,
    /* As RECEIVED_RELAXED, with or without causality. */
    RECEIVED_ANY,
    /* Forward to the next unguarded fence::before: the thread may publish something without
     * causality. */
    RECEIVED_TOLD,
    RECEIVED_QUESTIONS
};

extern const struct cover_table received_tables[RECEIVED_QUESTIONS];

/* Declines the open sites (see scan_run) that pass on what was received without causality, or that
 * pass on anything received to a release without causality. sites: fences, ascending. */
void received_decline(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                      struct verdict *verdicts);

#endif
