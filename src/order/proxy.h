/* Finds out whether another proxy fence provides the same order as a candidate, on every path
 * backward or on every path forward. */
#ifndef PTXOPT_ORDER_PROXY_H
#define PTXOPT_ORDER_PROXY_H

#include "order/analysis.h"

/* The instructions that a path may pass between a proxy fence and the other one. Instructions with
 * register effects always pass, and weak accesses pass if they cannot access the memory that the
 * fence orders. */
struct proxy_question {
    bool backward;
    bool passes_election; /* elect.sync passes under sync-is-no-barrier */
};

/* Sets the verdict of each site. sites: proxy fences, ascending. The witness is the other fence, or
 * the instruction that prevents the removal. */
void proxy_run(const struct analysis *analysis, const struct proxy_question *question,
               const uint32_t *sites, uint32_t count, struct verdict *verdicts);

#endif
