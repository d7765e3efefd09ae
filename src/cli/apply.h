/* One option of the command line. */
#ifndef PTXOPT_CLI_APPLY_H
#define PTXOPT_CLI_APPLY_H

#include "cli/command.h"
#include "cli/options.h"

/* Sets what the option says; argument is NULL where it takes none. On false, error holds one line
 * without its "ptxopt: ". */
bool apply_option(struct command *command, enum option_id id, const char *argument,
                  struct buf *error);

#endif
