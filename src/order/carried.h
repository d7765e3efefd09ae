/* Finds waits without which ptxas 13.2 to 13.5 would not wait at the head of a loop
 * (doc/model.md, section 5, "What ptxas holds back"). */
#ifndef PTXOPT_ORDER_CARRIED_H
#define PTXOPT_ORDER_CARRIED_H

#include "order/analysis.h"

/* Declines sites, which are waits of one kind and ascending, with REASON_PTXAS_ORDER: those from
 * which a path leads back to the head of a loop before a register of the last load in front of the
 * next kept wait::ld is read. (A store has no such register.) Sites that are not declined count as
 * removed. idle: on every path the operations in front of each site have had their wait; then only
 * the block of the site is searched for it. */
void carried_decline(const struct analysis *analysis, bool idle, const uint32_t *sites,
                     uint32_t count, struct verdict *verdicts);

#endif
