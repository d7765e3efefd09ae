/* Reads and writes whole files. Only programs use it: the library opens no file. */
#ifndef PTXOPT_BASE_FILE_H
#define PTXOPT_BASE_FILE_H

#include <stdbool.h>

#include "base/buf.h"

/* Appends the bytes from the current position of fd to the end of the file. limit: the most bytes
 * to accept. Returns false and sets errno on failure, to EFBIG if there are more than limit bytes;
 * out may then have a part of them. */
bool file_read_rest(int fd, size_t limit, struct buf *out);

/* As file_read_rest, for the whole file at path; "-" is standard input. */
bool file_read_path(const char *path, size_t limit, struct buf *out);

/* Appends the content of a regular file, at most limit bytes. Returns false if the file cannot be
 * read, is larger, or is not a regular file; out may then have a part of it, and errno is not set
 * for each of these reasons. */
bool file_read_regular(const char *path, size_t limit, struct buf *out);

/* Writes text[0..len) to fd. Returns false and sets errno on failure. */
bool file_write_all(int fd, const char *text, size_t len);

#endif
