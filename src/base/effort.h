/* Limits the steps of an analysis for one result. It counts steps instead of measuring time, so the
 * result is the same on every machine. */
#ifndef PTXOPT_BASE_EFFORT_H
#define PTXOPT_BASE_EFFORT_H

#include "base/work.h"

struct effort {
    uint64_t left;   /* units that are not in credit */
    uint64_t credit; /* units that effort_spend subtracts without a call: work_spend has counted
                        them */
    bool over; /* an analysis needed more units than were left, and ended the innermost work */
};

/* The units that effort_spend may still subtract. */
static inline uint64_t effort_left(const struct effort *effort)
{
    return effort->left + effort->credit;
}

/* Does what effort_spend does if the credit is not enough. */
void effort_draw(struct effort *effort, uint64_t units);

/* Subtracts units: one for each instruction, condition or pair that the caller examines next. If
 * fewer are left, sets over and ends the innermost work (work.h) with WORK_OVER_LIMIT. effort NULL:
 * no limit. */
static inline void effort_spend(struct effort *effort, uint64_t units)
{
    if (effort && units <= effort->credit)
        effort->credit -= units;
    else
        effort_draw(effort, units);
}

#endif
