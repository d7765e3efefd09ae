/* Limits the steps of an analysis for one result. It counts steps instead of measuring time, so the
 * result is the same on every machine. */
#ifndef PTXOPT_BASE_EFFORT_H
#define PTXOPT_BASE_EFFORT_H

#include "base/work.h"

struct effort {
    uint64_t left; /* units that effort_spend may still subtract */
    bool over;     /* an analysis needed more units than were left, and ended the innermost work */
};

/* Subtracts units: one for each instruction, condition or pair that the caller examines next. If
 * fewer are left, sets over and ends the innermost work (work.h) with WORK_OVER_LIMIT. effort NULL:
 * no limit. */
static inline void effort_spend(struct effort *effort, uint64_t units)
{
    work_spend(units);
    if (!effort) return;
    if (effort->left < units) {
        effort->over = true;
        work_leave(WORK_OVER_LIMIT);
    }
    effort->left -= units;
}

#endif
