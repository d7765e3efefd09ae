/* Prints values and conditions for people: the output of --dump=roles. */
#ifndef PTXOPT_VALUE_PRINT_H
#define PTXOPT_VALUE_PRINT_H

#include "base/buf.h"
#include "value/subject.h"

/* Appends, for each block, the conditions under which a thread reaches it, and its mbarriers and
 * columns of tensor memory. */
void print_roles(const struct subject *subject, struct buf *out);

#endif
