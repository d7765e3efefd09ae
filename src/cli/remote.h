/* Uses a ptxoptd instead of a local run. */
#ifndef PTXOPT_CLI_REMOTE_H
#define PTXOPT_CLI_REMOTE_H

#include <stdbool.h>

#include "base/str.h"
#include "cli/command.h"

struct remote;

/* For command->server. NULL if it is not to be used: messages gets whole lines that say why.
 * command must outlive the result. */
struct remote *remote_open(const struct command *command, struct buf *messages);
void remote_close(struct remote *remote);

/* Requests the output of the command for the text. True: *answer is that output, proven here.
 * False: run it locally; if that is the server's fault, messages gets a line, once. Can be called
 * from several threads. */
bool remote_run(struct remote *remote, struct str text, struct buf *answer, struct buf *messages);

/* True if a request has failed, so that the server is not used any more; also if remote is NULL. */
bool remote_has_failed(const struct remote *remote);

#endif
