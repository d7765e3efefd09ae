/* Files that are read and written whole. For programs: the library opens none. */
#ifndef PTXOPT_BASE_FILE_H
#define PTXOPT_BASE_FILE_H

#include <stdbool.h>

#include "base/buf.h"

/* Appends what can still be read of the descriptor, at most limit bytes. False: errno says why,
 * EFBIG when there is more. */
bool file_read_rest(int fd, size_t limit, struct buf *out);

/* Appends the content of the file; "-" is standard input. As file_read_rest. */
bool file_read_path(const char *path, size_t limit, struct buf *out);

/* Appends a regular file, at most limit bytes. False, whatever the reason, if it cannot be read, is
 * larger, or is not a regular file: then out may have a part of it. */
bool file_read_regular(const char *path, size_t limit, struct buf *out);

/* Writes all of text[0..len) to the descriptor. False: errno says why. */
bool file_write_all(int fd, const char *text, size_t len);

#endif
