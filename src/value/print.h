/* Values and conditions for people: what --dump=roles shows. */
#ifndef PTXOPT_VALUE_PRINT_H
#define PTXOPT_VALUE_PRINT_H

#include "base/buf.h"
#include "value/subject.h"

/* For each block the conditions under which a thread gets there, and its mbarriers and columns of
 * tensor memory. */
void print_roles(const struct subject *subject, struct buf *out);

#endif
