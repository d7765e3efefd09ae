/* Finds a multicast or store to a CTA that may have ended because it has no work. */
#ifndef PTXOPT_LINT_CLUSTER_IDLE_H
#define PTXOPT_LINT_CLUSTER_IDLE_H

#include "lint/peer.h"

/* Reports, as findings of code, the first multicast to several CTAs, or store to another CTA, if
 * all threads of some CTA of the cluster can end without waiting for anything. */
void cluster_idle_find(struct lint *lint, const struct peers *peers, const struct lint_code *code);

#endif
