/* Finds whether another proxy fence does what this one does, on every path back or on every path
 * on. */
#ifndef PTXOPT_ORDER_PROXY_H
#define PTXOPT_ORDER_PROXY_H

#include "order/analysis.h"

/* What a path may pass on its way from a proxy fence to the other one. Register work passes always,
 * a weak access where it cannot touch the memory that the fence is about. */
struct proxy_question {
    bool backward;
    uint32_t passes;        /* bits 1 << effect */
    uint32_t passes_narrow; /* … for a fence that names a state space */
    bool passes_election;   /* elect.sync does, given sync-is-no-barrier */
};

/* Answers for all sites, which are proxy fences and ascend: the other fence is the witness, or what
 * prevents the removal. */
void proxy_run(const struct analysis *analysis, const struct proxy_question *question,
               const uint32_t *sites, uint32_t count, struct verdict *verdicts);

#endif
