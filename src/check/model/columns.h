/* Decides which loads and stores of tensor memory can have no cell in common, by their columns. */
#ifndef PTXOPT_CHECK_MODEL_COLUMNS_H
#define PTXOPT_CHECK_MODEL_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct program;

/* The columns from base + number on, so many of them. */
struct columns_range {
    uint32_t base; /* register, or PROGRAM_NONE where the address is the number */
    uint32_t number, count;
};

/* The ranges of a body, each once, and which one each of its instructions accesses. */
struct columns {
    struct VEC(struct columns_range) ranges;
    uint32_t *of; /* by instruction; PROGRAM_NONE where that is not known, or it accesses none */
};

/* Zero-initialised columns in; release with columns_free. */
void columns_find(struct columns *columns, const struct program *program);
void columns_free(struct columns *columns);

/* Whether two accesses to these ranges (struct columns_range) can have no column in common. */
bool columns_are_apart(const void *one, const void *other);

#endif
