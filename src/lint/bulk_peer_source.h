/* The part of bulk-source-reused about copies to the shared memory of another CTA. */
#ifndef PTXOPT_LINT_BULK_PEER_SOURCE_H
#define PTXOPT_LINT_BULK_PEER_SOURCE_H

#include "lint/smem_place.h"

/* Reports, as findings of code, each write to shared memory that a bulk copy to another CTA may
 * still read, if no wait on the path may show that the copy is complete. */
void bulk_peer_source_find(struct lint *lint, const struct lint_code *code);

#endif
