/* Transforms one input to one output. */
#ifndef PTXOPT_CLI_TRANSFORM_H
#define PTXOPT_CLI_TRANSFORM_H

#include <stdatomic.h>

#include "base/buf.h"
#include "cli/command.h"
#include "cli/remote.h"
#include "report/model.h"

/* The results of a transformation, besides the output. */
struct transform {
    struct buf messages;       /* whole lines */
    struct review_file review; /* if the command has reports */
    struct tool_clock clock;   /* of ptxas; another thread may read it */
    atomic_size_t analysed;    /* bytes of the input; another thread may read it */
    struct remote *remote;     /* the server to use; NULL: none */
    bool alone;    /* there is no other file, so ptxas may run for two texts in parallel */
    bool *ids_met; /* for each of command->ids: the text has a finding with that id;
                      zero-initialised by the caller */
};

/* Reads input, runs the command on it and writes output ("-": standard input or output). Returns
 * the exit status; unless that is 0, output is unchanged. command is not modified, so threads can
 * share it. */
int transform_file(const struct command *command, const char *input, const char *output,
                   struct transform *transform);

#endif
