/* Decides which loads and stores of tensor memory can have no cell in common, by their columns. */
#ifndef PTXOPT_CHECK_MODEL_COLUMNS_H
#define PTXOPT_CHECK_MODEL_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct program;

/* The `count` columns from base + number on. */
struct columns_range {
    uint32_t base; /* register number; PROGRAM_NONE: the address is number */
    uint32_t number, count;
};

/* The different ranges of a body, and the range that each instruction accesses. */
struct columns {
    struct VEC(struct columns_range) ranges;
    uint32_t *of; /* index into ranges by instruction; PROGRAM_NONE: no access, or not known */
};

/* Fills columns, which must be zero. Release it with columns_free. */
void columns_find(struct columns *columns, const struct program *program);
void columns_free(struct columns *columns);

/* Whether accesses to these ranges (struct columns_range) can have no column in common. */
bool columns_are_apart(const void *one, const void *other);

#endif
