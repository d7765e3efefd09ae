/* PTXOPT_FLAGS: options of ptxopt for a call of ptxas. */
#ifndef PTXOPT_WRAPPER_FLAGS_H
#define PTXOPT_WRAPPER_FLAGS_H

#include <stdbool.h>

#include "base/buf.h"
#include "cli/command.h"

/* The words of flags, which blanks divide and nothing quotes. */
struct flags {
    char *text;  /* ours */
    char **argv; /* into it, after a name for the program; NULL after the last */
    int argc;
    struct command command;
};

/* Reads them as ptxopt would; those that name files, print information or choose another mode
 * are refused. flags NULL: none. On false error holds one line without its line end. flags_free in
 * both cases. From one thread (getopt). */
bool flags_read(struct flags *flags, const char *text, struct buf *error);
void flags_free(struct flags *flags);

/* The words with one blank in front of each: what makes a difference to the output. */
void flags_add(struct buf *out, const struct flags *flags);

#endif
