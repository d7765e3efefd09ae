/* Limits how much is looked at for one result, counted and not timed, so that it is the same on
 * every machine. */
#ifndef PTXOPT_BASE_EFFORT_H
#define PTXOPT_BASE_EFFORT_H

#include "base/work.h"

struct effort {
    uint64_t left; /* in units of effort_spend */
    bool over;     /* more than that was needed, and the innermost work was left */
};

/* So many instructions, conditions or pairs are about to be looked at. Leaves the innermost work
 * (see work.h) when that is more than the rest; effort NULL: never. */
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
