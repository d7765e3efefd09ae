/* Writes PTXOPT_LOG: the result for each module. */
#ifndef PTXOPT_WRAPPER_RECORD_H
#define PTXOPT_WRAPPER_RECORD_H

#include "wrapper/rewrite.h"

struct record {
    const char *result; /* "rewritten", "unchanged", "passed-on", "disabled", "failed", "refused" */
    const char *reason; /* the reason for the result, "" for none */
    const char *input, *output, *real; /* paths; NULL: not known */
    const struct rewrite *rewrite;     /* NULL: the rewriting was not started */
    uint32_t us;                       /* microseconds that ptxopt took before ptxas ran */
};

/* Appends the record as one line of JSON to the file at path. It uses one write, so that lines of
 * compilers that run at the same time do not mix. If the line cannot be written, does not fit in
 * memory, or does not fit into a pipe at once, it is dropped: a log must not stop a build. Call it
 * after supervise_prepare. */
void record_add(const char *path, const struct record *record);

#endif
