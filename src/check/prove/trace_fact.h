/* Finds the path of one fact to where it is missed. */
#ifndef PTXOPT_CHECK_PROVE_TRACE_FACT_H
#define PTXOPT_CHECK_PROVE_TRACE_FACT_H

#include "check/model/track.h"
#include "check/prove/trace.h"

struct monitor_fault {
    enum monitor_fact fact;
    bool literal;
    bool too_big;      /* given up, nothing below is set */
    uint32_t source;   /* event that made the fact, NONE: it was there at entry */
    uint32_t culprit;  /* the removed event that made the difference */
    uint32_t observer; /* event that sees less */
    struct trace_path path;
};

void trace_fact(const struct track *track, struct monitor_fault *fault);

#endif
