/* Paths of files relative to the current folder. */
#ifndef PTXOPT_CLI_HERE_H
#define PTXOPT_CLI_HERE_H

#include <stdbool.h>

#include "base/buf.h"

/* The path from the folder that the program runs in, without ".", ".." and blank parts; of a file
 * outside of it (and, where folders cannot be read, of one that may be) the absolute one. For the
 * caller to mem_free. */
char *path_from_here(const char *path);

/* The same for file as named in the PTX at ptx, which is a path from where the compiler ran: from
 * here, as in most builds, or the folder of the PTX, if it is there. For the caller to
 * mem_free. */
char *path_of_source(const char *ptx, const char *file);

/* Appends the text of a regular file of at most limit bytes. False: there is none, or it is not
 * below the folder that the program runs in: untrusted PTX may name any path. */
bool read_below_here(const char *path, size_t limit, struct buf *text);

#endif
