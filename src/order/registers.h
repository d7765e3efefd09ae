/* Finds registers that are written while an access that a wait would have completed may still use
 * them (ISA 9.7.16.6.4.5: "avoiding anti-dependency hazards around tcgen05.ld, tcgen05.wait::ld
 * must be used"). */
#ifndef PTXOPT_ORDER_REGISTERS_H
#define PTXOPT_ORDER_REGISTERS_H

#include "order/verdict.h"

struct analysis;

/* sites: waits of one kind, ascending. The sites that are not declined yet count as removed, in
 * addition to the removed instructions. If an access is then in flight while one of its registers
 * is written (to be safe also a register of its address, or a source of a store), declines the last
 * of these sites before the write. If a loaded register is read, notes register-dependency in the
 * verdict, or declines the site if that assumption is off. */
void registers_decline(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                       struct verdict *verdicts);

#endif
