/* Measures what ptxas makes of a text. */
#ifndef PTXOPT_REPORT_MEASURE_H
#define PTXOPT_REPORT_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "report/compiled.h"

/* One function that has separate code. */
struct measure_kernel {
    char *name;
    uint32_t instructions, nops, membars; /* SASS; the padding at the end is not counted */
    bool is_entry;                        /* the fields below are known for entry functions only */
    uint32_t registers, spill_stores, spill_loads; /* spills in bytes */
    uint32_t threads; /* of a CTA, by .maxntid or .reqntid; 0: not known */
    uint32_t warps;   /* that have room on an SM: see occupancy.h */
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

/* Adds what ptxas makes of one text; why that is not known, for mem_free, or NULL when it is. */
char *measure_read(struct measure *measure, struct compiled *compiled);

/* What an edit costs by itself: a kernel without it and with it; the other edits are the same. */
struct measure_cost {
    const char *id; /* as of struct ptxopt_finding; borrowed */
    struct measure_kernel without, with;
};

/* Whether an entry function takes more registers or spills more afterwards, or fewer of its warps
 * have room on an SM. */
bool measure_is_worse(const struct measure_kernel *before, const struct measure_kernel *after);

/* Appends what of it is worse: "registers 48 -> 83, warps on an SM 40 -> 16". */
void measure_add_worse(struct buf *out, const struct measure_kernel *before,
                       const struct measure_kernel *after);

/* The function of that name, or NULL. */
const struct measure_kernel *measure_find(const struct measure *measure, const char *name);

void measure_free(struct measure *measure);
void measure_pair_free(struct measure_pair *pair);

#endif
