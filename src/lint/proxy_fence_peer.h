/* The part of proxy-fence-missing about shared memory that another CTA of the cluster writes. */
#ifndef PTXOPT_LINT_PROXY_FENCE_PEER_H
#define PTXOPT_LINT_PROXY_FENCE_PEER_H

#include "lint/smem_place.h"

/* Reports, as findings of code, asynchronous reads of a place that another CTA has written
 * through the generic proxy, if no proxy fence is between the two. */
void proxy_fence_peer_find(struct lint *lint, const struct lint_code *code,
                           const struct smem_places *places);

#endif
