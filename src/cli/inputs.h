/* Lists the files that the command line names. */
#ifndef PTXOPT_CLI_INPUTS_H
#define PTXOPT_CLI_INPUTS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/vec.h"

struct input {
    char *path;       /* "-": standard input; for mem_free */
    const char *name; /* part of path: below the named folder, or the last part */
    bool found;       /* it was found in a named folder */
};

/* Zero-initialised by the caller. */
struct input_list VEC(struct input);

/* True if the name ends in ".ptx" and has something before that. */
bool inputs_is_kernel(const char *path);

/* Adds path or, if it is a folder, every *.ptx below it, sorted. Names that begin with a dot are
 * skipped, and links to folders are not followed. On false, error has one line without the prefix
 * "ptxopt: ". The caller calls inputs_free in both cases. */
bool inputs_add(struct input_list *inputs, const char *path, struct buf *error);
void inputs_free(struct input_list *inputs);

#endif
