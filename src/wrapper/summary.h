/* Summarises a PTXOPT_LOG. */
#ifndef PTXOPT_WRAPPER_SUMMARY_H
#define PTXOPT_WRAPPER_SUMMARY_H

#include <stdbool.h>

#include "base/buf.h"

/* Appends at most ten lines about a build: what was removed, which texts were assembled unchanged
 * and why, and how long it took. log: the path of the file, "-" for standard input. Lines that are
 * not records are only counted. Returns false with one line without its line feed in error. */
bool summary_put(struct buf *out, const char *log, struct buf *error);

#endif
