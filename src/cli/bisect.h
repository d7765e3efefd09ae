/* Implements --bisect, which finds the edit that makes a command fail. */
#ifndef PTXOPT_CLI_BISECT_H
#define PTXOPT_CLI_BISECT_H

#include "cli/command.h"

/* Searches for the smallest set of edits of the file at path with which command->tester fails.
 * Prints the edits on standard output and the progress on standard error. Returns 0 if it found
 * them, 1 if the command succeeds with all edits, EXIT_USAGE if there is nothing to search. */
int bisect_run(const struct command *command, const char *path);

#endif
