/* Reads PTXOPT_FLAGS: options of ptxopt for a call of ptxas. */
#ifndef PTXOPT_WRAPPER_FLAGS_H
#define PTXOPT_WRAPPER_FLAGS_H

#include <stdbool.h>

#include "base/buf.h"
#include "cli/command.h"

/* The words of PTXOPT_FLAGS, separated by blanks; there are no quotes. */
struct flags {
    char *text;  /* owned; argv points into it */
    char **argv; /* argv[0] is the name of the program; NULL after the last word */
    int argc;
    struct command command;
};

/* Reads text as the command line of ptxopt. Options that name files, print information or choose
 * another mode are errors. text NULL: no flags. Returns false with one line without its line feed
 * in error. The caller calls flags_free in both cases. Call it from one thread only (getopt has
 * global state). */
bool flags_read(struct flags *flags, const char *text, struct buf *error);
void flags_free(struct flags *flags);

/* Appends each word with a blank in front of it, for the version that caches see. */
void flags_add(struct buf *out, const struct flags *flags);

#endif
