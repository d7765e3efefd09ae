/* Finds an mma of a CTA pair that does not wait for the operands in the other CTA. */
#ifndef PTXOPT_LINT_PAIR_OPERANDS_H
#define PTXOPT_LINT_PAIR_OPERANDS_H

#include "lint/peer.h"

/* Reports, as a finding of code, the first mma of a CTA pair that reads what each CTA copies for
 * itself, if nothing tells the issuer of the mma that the copy of the other CTA is complete. */
void pair_operands_find(struct lint *lint, const struct peers *peers, const struct lint_code *code);

#endif
