/* What a PTXOPT_LOG says of a build. */
#ifndef PTXOPT_WRAPPER_SUMMARY_H
#define PTXOPT_WRAPPER_SUMMARY_H

#include <stdbool.h>

#include "base/buf.h"

/* Appends at most ten lines: what was removed, which texts were assembled unchanged and why,
 * and how long it took; log is the file's path, "-" for standard input. On false error holds one
 * line without its line end. Of a line that is not a record it only says that there is one. */
bool summary_put(struct buf *out, const char *log, struct buf *error);

#endif
