/* A ptxoptd that does the work. */
#ifndef PTXOPT_CLI_REMOTE_H
#define PTXOPT_CLI_REMOTE_H

#include <stdbool.h>

#include "base/str.h"
#include "cli/command.h"

struct remote;

/* For command->server. NULL when it is not to be used: messages, whole lines, says why. command
 * must outlive it. */
struct remote *remote_open(const struct command *command, struct buf *messages);
void remote_close(struct remote *remote);

/* Requests the output of the command for the text. True: answer is that, proven here. False: the
 * work is to be done here; a line of messages says so where it is the server's fault, once. From
 * several threads. */
bool remote_run(struct remote *remote, struct str text, struct buf *answer, struct buf *messages);

/* Whether it failed, so that the server is not used any more. NULL: it never was. */
bool remote_has_failed(const struct remote *remote);

#endif
