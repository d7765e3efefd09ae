/* Finds registers that are rewritten while an access that a wait would have completed may still use
 * them (ISA 9.7.16.6.4.5: "avoiding anti-dependency hazards around tcgen05.ld, tcgen05.wait::ld
 * must be used") */
#ifndef PTXOPT_ORDER_REGISTERS_H
#define PTXOPT_ORDER_REGISTERS_H

#include "order/verdict.h"

struct analysis;

/* sites: waits of one kind. Those that are not declined yet count as removed, together with
 * the removed ones; where an access then is in flight while a register that it names is written
 * (to be safe also one of its addresses, or of a store's sources), the last of them before the
 * write is declined. Reading a loaded register is noted as register-dependency, or declines without
 * it. */
void registers_decline(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                       struct verdict *verdicts);

#endif
