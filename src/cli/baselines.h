/* Implements --baseline and --write-baseline. */
#ifndef PTXOPT_CLI_BASELINES_H
#define PTXOPT_CLI_BASELINES_H

#include "cli/command.h"
#include "report/model.h"

/* Reads the baseline that the command names, if any, and passes its ids to the options as accepted.
 * On false, error has one line without the prefix "ptxopt: " and without a line end. */
bool baselines_load(struct command *command, struct buf *error);

/* After all jobs have run: reports entries whose findings are gone, and writes the new baseline.
 * Returns an exit status. messages gets whole lines. */
int baselines_settle(const struct command *command, const struct review *review,
                     struct buf *messages);

#endif
