/* Measures the machine code that ptxas makes of a text. */
#ifndef PTXOPT_REPORT_MEASURE_H
#define PTXOPT_REPORT_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "report/compiled.h"

/* A function that has code of its own. */
struct measure_kernel {
    char *name;
    uint32_t instructions, nops, membars; /* in SASS; the padding at the end is not counted */
    bool is_entry;                        /* only for entry functions the fields below are known */
    uint32_t registers, spill_stores, spill_loads; /* spills in bytes */
    uint32_t threads; /* of a CTA, from .maxntid or .reqntid; 0: not known */
    uint32_t warps;   /* that fit on an SM: see occupancy.h */
};

/* In the order of the cubin. Zero-initialised by the caller. */
struct measure VEC(struct measure_kernel);

/* A text before and after. */
struct measure_pair {
    char *problem; /* why the figures are not known, for mem_free; NULL: they are */
    struct measure before, after;
};

/* Compiles both texts and fills *pair, which must be zero. after is NULL if the text did not
 * change. The output of ptxas is not trusted. */
void measure_pair_read(struct measure_pair *pair, struct compiled *before, struct compiled *after);

/* Compiles a text and adds its functions to *measure. Returns NULL, or why the figures are not
 * known, for mem_free. */
char *measure_read(struct measure *measure, struct compiled *compiled);

/* The cost of a single edit: its kernel without it and with it, with all other edits the same. */
struct measure_cost {
    const char *id; /* as in struct ptxopt_finding; borrowed */
    struct measure_kernel without, with;
};

/* True if an entry function needs more registers or spills more after the edits, or fewer of its
 * warps fit on an SM. */
bool measure_is_worse(const struct measure_kernel *before, const struct measure_kernel *after);

/* Appends what got worse, such as "registers 48 -> 83, warps on an SM 40 -> 16". */
void measure_add_worse(struct buf *out, const struct measure_kernel *before,
                       const struct measure_kernel *after);

/* The function with that name; NULL: none. */
const struct measure_kernel *measure_find(const struct measure *measure, const char *name);

void measure_free(struct measure *measure);
void measure_pair_free(struct measure_pair *pair);

#endif
