/* What ptxas makes of a text. */
#ifndef PTXOPT_REPORT_MEASURE_H
#define PTXOPT_REPORT_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "report/compiled.h"

/* One function that has code of its own. */
struct measure_kernel {
    char *name;
    uint32_t instructions, nops, membars; /* SASS; the padding at the end is not counted */
    bool is_entry;                        /* the fields below are known for entry functions only */
    uint32_t registers, spill_stores, spill_loads; /* spills in bytes */
};

/* In the order of the cubin. Zero-initialise. */
struct measure VEC(struct measure_kernel);

/* A text before and after; problem says why that is not known, NULL when it is. */
struct measure_pair {
    char *problem; /* for mem_free */
    struct measure before, after;
};

/* Fills *pair, zero before, with what ptxas makes of both; after is NULL where the text did not
 * change. What is read is not trusted. */
void measure_pair_read(struct measure_pair *pair, struct compiled *before, struct compiled *after);

/* The function of that name, or NULL. */
const struct measure_kernel *measure_find(const struct measure *measure, const char *name);

void measure_pair_free(struct measure_pair *pair);

#endif
