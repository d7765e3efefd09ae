/* Values and conditions for people: what --dump=roles shows. */
#ifndef PTXOPT_LINT_PRINT_H
#define PTXOPT_LINT_PRINT_H

#include "base/buf.h"
#include "lint/conditions.h"

/* "(%tid.x >> 5)", "_tmem_slot + 8". */
void print_value(const struct lint *lint, struct value v, struct buf *out);

/* For each block the conditions under which a thread gets there, and its mbarriers and columns of
 * tensor memory. */
void print_roles(const struct lint *lint, struct buf *out);

#endif
