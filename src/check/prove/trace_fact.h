/* Finds the path of one fact to the observer that misses it. */
#ifndef PTXOPT_CHECK_PROVE_TRACE_FACT_H
#define PTXOPT_CHECK_PROVE_TRACE_FACT_H

#include "check/model/track.h"
#include "check/prove/trace.h"

struct monitor_fault {
    enum monitor_fact fact;
    bool literal;
    bool too_big;      /* the analysis was too large; the fields below are not set */
    uint32_t source;   /* event that created the fact; NONE: it held at the entry */
    uint32_t culprit;  /* removed event that caused the difference */
    uint32_t observer; /* event that sees less */
    struct trace_path path;
};

void trace_fact(const struct track *track, struct monitor_fault *fault);

#endif
