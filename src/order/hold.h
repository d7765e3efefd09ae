/* Finds the removals that let ptxas move an ordering operation before a completion that it held
 * back. By the ISA one wait is enough. But ptxas makes some ordering operations wait for the
 * completion only after a second wait or fence; doc/model.md, section 5, "What ptxas holds
 * back", has the table (ptxas-follows-isa). */
#ifndef PTXOPT_ORDER_HOLD_H
#define PTXOPT_ORDER_HOLD_H

#include "order/analysis.h"

/* Declines with REASON_PTXAS_ORDER enough of the sites that are not declined yet that ptxas
 * keeps each order which it keeps in the function as it was written, when the rest of them is
 * removed together with what is removed already. Under ptxas-follows-isa it declines none, and
 * notes the assumption where it is used. sites ascends. Time: linear in the events, for each of few
 * rounds. */
void hold_decline(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                  struct verdict *verdicts);

#endif
