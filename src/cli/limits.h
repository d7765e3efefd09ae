/* The limits of what a compiled kernel may cost. */
#ifndef PTXOPT_CLI_LIMITS_H
#define PTXOPT_CLI_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "report/measure.h"

/* --max-registers, --no-spill-growth, --keep-occupancy. */
struct limits {
    size_t max_registers; /* a thread; 0: any number */
    bool no_spill_growth, keep_occupancy;
};

/* Whether any is set. */
bool limits_exist(const struct limits *limits);

/* Whether an entry function that cost before may cost after. A kernel that is beyond a limit before
 * may stay there, and not exceed it more. When not, why gets a clause: what it would cost, and
 * over which limit. */
bool limits_allow(const struct limits *limits, const struct measure_kernel *before,
                  const struct measure_kernel *after, struct buf *why);

#endif
