/* One input to one output. */
#ifndef PTXOPT_CLI_TRANSFORM_H
#define PTXOPT_CLI_TRANSFORM_H

#include "base/buf.h"
#include "cli/command.h"

/* Reads input, runs what command says and writes output ("-": the standard ones). What is to be
 * said is added to messages, whole lines. Returns the exit status; unless that is 0, output is as
 * it was. command is only read, so threads may share it. */
int transform_file(const struct command *command, const char *input, const char *output,
                   struct buf *messages);

#endif
