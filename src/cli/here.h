/* Paths of files relative to the current folder. */
#ifndef PTXOPT_CLI_HERE_H
#define PTXOPT_CLI_HERE_H

#include <stdbool.h>

#include "base/buf.h"

/* The path relative to the current folder, without ".", ".." and empty parts. For a file outside of
 * it, or one that may be outside because folders cannot be read, the absolute path. The caller
 * frees it with mem_free. */
char *path_from_here(const char *path);

/* The same for a source file that is named in the PTX file at path ptx. Its path is relative to the
 * folder in which the compiler ran: the current folder, as in most builds, or that of the PTX file
 * if the source is there. The caller frees it with mem_free. */
char *path_of_source(const char *ptx, const char *file);

/* Appends the text of a regular file of at most limit bytes. False if there is none, or if it is
 * not below the current folder: untrusted PTX may name any path. */
bool read_below_here(const char *path, size_t limit, struct buf *text);

#endif
