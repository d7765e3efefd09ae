/* Finds the removals that let ptxas move an ordering operation before a completion for which it
 * would have waited. By the ISA one wait is enough. But ptxas makes some ordering operations wait
 * for the completion only after a second wait or fence; doc/model.md, section 5, "What ptxas holds
 * back", has the table (ptxas-follows-isa). */
#ifndef PTXOPT_ORDER_HOLD_H
#define PTXOPT_ORDER_HOLD_H

#include "order/analysis.h"

/* Declines sites with REASON_PTXAS_ORDER until this holds: if the other open sites are removed in
 * addition to the removed instructions, ptxas keeps each order that it keeps in the function as
 * written. Under ptxas-follows-isa it declines no site, and notes the assumption in the verdicts
 * that need it. Sets analysis->by_store if it declines less because of function->stored. sites:
 * ascending instruction indices. Time: linear in the events, at most 32 times.
 */
void hold_decline(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                  struct verdict *verdicts);

/* The instruction waits for the completion of loads and stores after their own wait: barriers and
 * commit do. ptxas moves no ordering operation before such an instruction, except those with
 * OPCODE_EARLY. An mma, cp or shift waits, too, but ptxas moves many before it. */
bool settles_waited(const struct opcode *opcode);

#endif
