/* Reads one input into memory. */
#ifndef PTXOPT_CLI_INPUT_H
#define PTXOPT_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* The name of the input in messages: the path, or "<stdin>" for "-". */
const char *input_name(const char *path);

/* Appends the bytes of path ("-": standard input) to text, which may already have some of its
 * bytes. limit: for the whole input, in bytes; not much more is read. On false, error has the
 * reason without name and line end, and text must not be used. */
bool input_read_path(const char *path, size_t limit, struct buf *text, struct buf *error);

#endif
