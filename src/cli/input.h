/* Reading one input whole. */
#ifndef PTXOPT_CLI_INPUT_H
#define PTXOPT_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* What messages call the input: the path, or "<stdin>" for "-". */
const char *input_name(const char *path);

/* Appends the bytes of path ("-": standard input) to those that were read of it already. On false,
 * error holds the reason without a name or line end, and text is of no use. Never reads much more
 * than limit bytes in all. */
bool input_read_path(const char *path, size_t limit, struct buf *text, struct buf *error);

#endif
