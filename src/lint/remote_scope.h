/* Finds signals between the CTAs of a cluster whose release or acquire is for the own CTA only. */
#ifndef PTXOPT_LINT_REMOTE_SCOPE_H
#define PTXOPT_LINT_REMOTE_SCOPE_H

#include "lint/peer.h"

/* Reports, as findings of code, each arrive that does not release to another CTA what the thread
 * has stored for it, and each wait that does not acquire what another CTA has stored. */
void remote_scope_find(struct lint *lint, const struct peers *peers, const struct lint_code *code);

#endif
