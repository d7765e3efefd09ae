/* Writes an output whole, or nothing of it. */
#ifndef PTXOPT_CLI_OUTPUT_H
#define PTXOPT_CLI_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"

/* Once, before anything is opened: makes sure that descriptors 0 to 2 are taken, that a closed pipe
 * is an error of write(), that the end of a child can be waited for, and that no temporary file
 * outlives an interrupt or an abort. */
void output_prepare(void);

/* The descriptor that a path names ("-" is standard output), open or not; -1: none. */
int output_named_descriptor(const char *path);

/* Makes the file at path hold exactly text; "-" is standard output. On false the old file is as it
 * was, and error holds the reason without a name or line end. From up to OUTPUT_WRITERS threads. */
enum { OUTPUT_WRITERS = 64 };
bool output_write(const char *path, const char *text, size_t len, struct buf *error);

/* The same of len bytes of the open file fd, from start on, in pieces. */
bool output_copy(const char *path, int fd, off_t start, size_t len, struct buf *error);

/* A file that is made piece by piece, and is in its place all at once. */
struct output_draft {
    const char *path; /* borrowed */
    int fd;           /* to be written, and read */
    size_t slot;
    char target[PATH_MAX];
};

/* Begins what becomes the regular file at path. False: it is none, or cannot be replaced. */
bool output_begin(struct output_draft *draft, const char *path, struct buf *error);
/* Puts it in its place; a file that already has the same bytes is kept. */
bool output_commit(struct output_draft *draft, struct buf *error);
void output_abandon(struct output_draft *draft);

#endif
