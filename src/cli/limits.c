/* Compares the cost of a kernel with the limits. See limits.h. */
#include "cli/limits.h"

#include <inttypes.h>

bool limits_exist(const struct limits *limits)
{
    return limits->max_registers || limits->no_spill_growth || limits->keep_occupancy;
}

bool limits_allow(const struct limits *limits, const struct measure_kernel *before,
                  const struct measure_kernel *after, struct buf *why)
{
    bool more = after->registers > before->registers;
    if (limits->max_registers && more && after->registers > limits->max_registers) {
        buf_printf(why,
                   "the kernel would take %" PRIu32 " registers instead of %" PRIu32
                   ", more than --max-registers %zu",
                   after->registers, before->registers, limits->max_registers);
        return false;
    }
    uint32_t spills = before->spill_stores + before->spill_loads;
    if (limits->no_spill_growth &&
        (after->spill_stores > before->spill_stores || after->spill_loads > before->spill_loads)) {
        buf_printf(why,
                   "the kernel would spill %" PRIu32 " bytes instead of %" PRIu32
                   ", against --no-spill-growth",
                   after->spill_stores + after->spill_loads, spills);
        return false;
    }
    if (limits->keep_occupancy && after->warps < before->warps) {
        buf_printf(why,
                   "the kernel would take %" PRIu32 " registers instead of %" PRIu32
                   ", and %" PRIu32 " of its warps would fit on an SM instead of %" PRIu32
                   ", against --keep-occupancy",
                   after->registers, before->registers, after->warps, before->warps);
        return false;
    }
    return true;
}
