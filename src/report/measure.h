/* What ptxas makes of a text. */
#ifndef PTXOPT_REPORT_MEASURE_H
#define PTXOPT_REPORT_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"

/* One function that has code of its own. */
struct measure_kernel {
    char *name;
    uint32_t instructions, nops; /* SASS; the padding at the end is not counted */
    bool is_entry;               /* the fields below are known for entry functions only */
    uint32_t registers, spill_stores, spill_loads; /* spills in bytes */
};

/* In the order of the cubin. Zero-initialise. */
struct measure VEC(struct measure_kernel);

/* A text before and after; problem says why that is not known, NULL when it is. */
struct measure_pair {
    char *problem; /* for mem_free */
    struct measure before, after;
};

/* Assembles text with the ptxas on PATH for the text's own .target. NULL when that worked; else one
 * line that says why not, for mem_free, and measure stays empty. Leaves no file behind, however the
 * process ends. */
char *measure_run(struct measure *measure, const char *text, size_t len);

/* The first half of that: appends the cubin, and what ptxas printed. lines: with -lineinfo, which
 * changes no code, in place of -v. */
char *measure_assemble(struct buf *image, struct buf *log, bool lines, const char *text,
                       size_t len);

/* The function of that name, or NULL. */
const struct measure_kernel *measure_find(const struct measure *measure, const char *name);

/* Adds a copy of each function of from. */
void measure_copy(struct measure *measure, const struct measure *from);

void measure_free(struct measure *measure);
void measure_pair_free(struct measure_pair *pair);

/* The two halves of measure_run, which trust nothing they read: the code sizes in an ELF image
 * (false when it is none or broken), and what -v said about the functions found there. */
bool measure_read_cubin(struct measure *measure, const char *image, size_t len);
void measure_read_log(struct measure *measure, const char *log);

/* The architecture of text's first .target ("sm_100a"), for mem_free; NULL when there is none. */
char *measure_target(const char *text, size_t len);

#endif
