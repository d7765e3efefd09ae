/* The files that the command line names. */
#ifndef PTXOPT_CLI_INPUTS_H
#define PTXOPT_CLI_INPUTS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/vec.h"

struct input {
    char *path;       /* "-" is standard input; for mem_free */
    const char *name; /* within path: below the folder that was named, or the last part */
    bool found;       /* in a folder that was named */
};

/* Zero-initialise. */
struct input_list VEC(struct input);

/* Whether the name is as a kernel's: something and .ptx. */
bool inputs_is_kernel(const char *path);

/* Adds path or, when it is a folder, every *.ptx below it, sorted; names that begin with a dot are
 * passed over and links to folders not followed. On false, error holds one line without its
 * "ptxopt: ". inputs_free in both cases. */
bool inputs_add(struct input_list *inputs, const char *path, struct buf *error);
void inputs_free(struct input_list *inputs);

#endif
