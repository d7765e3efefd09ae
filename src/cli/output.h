/* Writes an output completely or not at all. */
#ifndef PTXOPT_CLI_OUTPUT_H
#define PTXOPT_CLI_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"

/* Call it once before anything is opened. Ensures that descriptors 0 to 2 are in use, that a closed
 * pipe is an error of write() and not a signal, that the end of a child can be waited for, and that
 * an interrupt or abort removes temporary files. */
void output_prepare(void);

/* The descriptor that a path names ("-": standard output), whether it is open or not; -1: none. */
int output_named_descriptor(const char *path);

/* Replaces the content of the file at path by text; "-" is standard output. On false, the old file
 * is unchanged, and error has the reason without name and line end. Can be called from up to
 * OUTPUT_WRITERS threads. */
enum { OUTPUT_WRITERS = 64 };
bool output_write(const char *path, const char *text, size_t len, struct buf *error);

/* The same for len bytes of the open file fd from start on, in pieces. */
bool output_copy(const char *path, int fd, off_t start, size_t len, struct buf *error);

/* A file that is written piece by piece and replaces its target at once. */
struct output_draft {
    const char *path; /* borrowed */
    int fd;           /* open for writing and reading */
    size_t slot;
    char target[PATH_MAX];
};

/* Begins a file that will replace the regular file at path. False if path is no regular file, or
 * cannot be replaced. */
bool output_begin(struct output_draft *draft, const char *path, struct buf *error);
/* Replaces the target; a target that already has the same bytes is kept. Frees the draft. On false,
 * error has the reason. */
bool output_commit(struct output_draft *draft, struct buf *error);
void output_abandon(struct output_draft *draft);

#endif
