/* Do two operations of a kernel touch different columns of tensor memory for sure? */
#ifndef PTXOPT_TESTS_SLEEPS_COLUMNS_H
#define PTXOPT_TESTS_SLEEPS_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct columns;

/* text is borrowed. NULL when it cannot be read. */
struct columns *columns_of(struct str text);
void columns_free(struct columns *columns);

/* The operations that begin in these lines: the same base, columns that are constants, no column
 * in common. */
bool columns_apart(const struct columns *columns, uint32_t line, uint32_t other);

#endif
