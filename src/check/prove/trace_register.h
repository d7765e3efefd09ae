/* Finds the path of one register at risk to the instruction that uses it too early. */
#ifndef PTXOPT_CHECK_PROVE_TRACE_REGISTER_H
#define PTXOPT_CHECK_PROVE_TRACE_REGISTER_H

#include "check/model/hazard.h"
#include "check/prove/trace.h"

struct hazard_fault {
    /* Instructions: the ld or st, the removed wait, and the write or read that comes too early. */
    uint32_t access, culprit, observer;
    struct trace_path path;
};

/* Fills fault with the path to the refusal that hazard records. reached: by block, whether a path
 * reaches it. */
void report_register_trace(const struct hazard *hazard, const bool *reached,
                           struct hazard_fault *fault);

#endif
