/* --baseline and --write-baseline. */
#ifndef PTXOPT_CLI_BASELINES_H
#define PTXOPT_CLI_BASELINES_H

#include "cli/command.h"
#include "report/model.h"

/* Reads the file that the command names, if it does, and has its findings accepted. On false error
 * holds one line without its "ptxopt: " and line end. */
bool baselines_load(struct command *command, struct buf *error);

/* When all is run: says which of them were not found, and writes the new one. Returns an exit
 * status; messages are whole lines. */
int baselines_settle(const struct command *command, const struct review *review,
                     struct buf *messages);

#endif
