/* --bisect: finds the edit that makes a command fail. */
#ifndef PTXOPT_CLI_BISECT_H
#define PTXOPT_CLI_BISECT_H

#include "cli/command.h"

/* Looks among the edits of the file at path for the fewest that make command->tester fail, and
 * prints them on standard output, the search on standard error. Returns 0 when it found them, 1
 * when the command succeeds with all edits, EXIT_USAGE when there is nothing to search. */
int bisect_run(const struct command *command, const char *path);

#endif
