/* Limits on the cost of a compiled kernel. */
#ifndef PTXOPT_CLI_LIMITS_H
#define PTXOPT_CLI_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "report/measure.h"

/* The values of --max-registers, --no-spill-growth and --keep-occupancy. */
struct limits {
    size_t max_registers; /* of each thread; 0: no limit */
    bool no_spill_growth, keep_occupancy;
};

/* True if any limit is set. */
bool limits_exist(const struct limits *limits);

/* True if an entry function with the cost before may get the cost after. If it exceeds a limit
 * before, it must not exceed it further. On false, why gets a clause with the cost and the
 * limit. */
bool limits_allow(const struct limits *limits, const struct measure_kernel *before,
                  const struct measure_kernel *after, struct buf *why);

#endif
