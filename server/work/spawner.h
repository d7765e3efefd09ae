/* The process that forks those of --isolate (child.h). It is forked early, while there is one
 * thread and no secret in memory, and keeps a few of them ready, each at the end of a socket. */
#ifndef SERVER_WORK_SPAWNER_H
#define SERVER_WORK_SPAWNER_H

#include <sys/types.h>

#include "server/work/child.h"

/* Forks it; -1 when it cannot be. A byte sent to *socket requests a child; back comes a byte with
 * the child's socket, or without one when there can be no child. The end of the socket ends the
 * spawner, and with it its children. */
pid_t spawner_start(const struct settings *settings, child_handle *handle, int *socket);

#endif
