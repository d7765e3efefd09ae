/* One option of the command line. */
#ifndef PTXOPT_CLI_APPLY_H
#define PTXOPT_CLI_APPLY_H

#include "cli/command.h"
#include "cli/options.h"

/* Applies the option. argument is NULL if it has none. On false, error has one line without the
 * prefix "ptxopt: ". */
bool apply_option(struct command *command, enum option_id id, const char *argument,
                  struct buf *error);

#endif
