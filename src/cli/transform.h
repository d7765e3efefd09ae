/* One input to one output. */
#ifndef PTXOPT_CLI_TRANSFORM_H
#define PTXOPT_CLI_TRANSFORM_H

#include "base/buf.h"
#include "cli/command.h"
#include "cli/remote.h"
#include "report/model.h"

/* What comes of it, besides the output. */
struct transform {
    struct buf messages;       /* whole lines */
    struct review_file review; /* when command has reports */
    struct tool_clock clock;   /* of ptxas; another thread may look at it */
    struct remote *remote;     /* the server that does the work; NULL: it is done here */
    bool alone;                /* there is no other file, so that ptxas may run twice at once */
    bool *ids_met;             /* for each of command->ids: a candidate has that id; zero before */
};

/* Reads input, runs what command says and writes output ("-": the standard ones). Returns the exit
 * status; unless that is 0, output is as it was. command is only read, so threads may share it. */
int transform_file(const struct command *command, const char *input, const char *output,
                   struct transform *transform);

#endif
