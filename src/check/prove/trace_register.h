/* Finds the path of one register at risk to where it is touched. */
#ifndef PTXOPT_CHECK_PROVE_TRACE_REGISTER_H
#define PTXOPT_CHECK_PROVE_TRACE_REGISTER_H

#include "check/model/hazard.h"
#include "check/prove/trace.h"

struct hazard_fault {
    uint32_t access, culprit, observer; /* instructions: the ld or st, the wait, the write */
    struct trace_path path;
};

/* For the refusal that hazard records, among the blocks reached. */
void report_register_trace(const struct hazard *hazard, const bool *reached,
                           struct hazard_fault *fault);

#endif
