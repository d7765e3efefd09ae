/* Declines a fence::before that passes on what another thread has done. Causality does so for what
 * was received with it, if it is published with it, too (model G6). Decided for many fences at
 * once. */
#ifndef PTXOPT_ORDER_RECEIVED_H
#define PTXOPT_ORDER_RECEIVED_H

#include "order/scan.h"

enum received_question {
    /* Back to the last unguarded fence: whether anything may be received without causality. What a
     * fence::after has taken over is covered by TRACKED_RELAYED. */
    RECEIVED_RELAXED,
    /* The same, with causality or without. */
    RECEIVED_ANY,
    /* On to the next unguarded fence::before: whether anything is published without causality. */
    RECEIVED_TOLD,
    RECEIVED_QUESTIONS
};

extern const struct cover_table received_tables[RECEIVED_QUESTIONS];

/* Declines those of the open sites (see scan_run) that pass on what was received relaxed, or what
 * was received in any way to a thread that publishes relaxed. */
void received_decline(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                      struct verdict *verdicts);

#endif
