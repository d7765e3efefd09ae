/* PTXOPT_LOG: what happened to each module. */
#ifndef PTXOPT_WRAPPER_RECORD_H
#define PTXOPT_WRAPPER_RECORD_H

#include "wrapper/rewrite.h"

struct record {
    const char *result; /* "rewritten", "unchanged", "passed-on", "disabled", "failed", "refused" */
    const char *reason; /* why not, "" for none */
    const char *input, *output, *real; /* NULL: not known */
    const struct rewrite *rewrite;     /* NULL: that was not reached */
    uint32_t us;                       /* from our start to ptxas's, by the clock */
};

/* Appends the record to the file at path as one line of JSON, in one write, so that the lines of
 * compilers that run at the same time do not mix. What cannot be written or kept in
 * memory, and what a pipe does not take at once, is lost: a log stops no build. After
 * supervise_prepare. */
void record_add(const char *path, const struct record *record);

#endif
