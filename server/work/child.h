/* A process of --isolate: it reads one request from its socket, writes the answer and ends. */
#ifndef SERVER_WORK_CHILD_H
#define SERVER_WORK_CHILD_H

#include "base/work.h"
#include "server/base/message.h"
#include "server/base/settings.h"

/* Its reply is an answer of that status and no body, when it ends before it has one. No
 * handler gives these. */
enum { CHILD_NEEDS_MEMORY = 413, CHILD_CRASHED = 500 };

/* Answers a request in the child. */
typedef enum work_end child_handle(const struct settings *settings, struct request *request,
                                   struct reply *reply);

/* All of its life, but for its end. */
void child_main(int fd, const struct settings *settings, child_handle *handle);

#endif
