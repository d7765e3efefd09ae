/* --isolate: a process for each request, so that a request that crashes or exceeds its limits does
 * not affect others. */
#ifndef SERVER_WORK_ISOLATE_H
#define SERVER_WORK_ISOLATE_H

#include "server/base/service.h"
#include "server/work/child.h"

struct isolate;

/* Forks the process that forks the others (spawner.h), in which handle answers. To be called before
 * there are threads. NULL when this cannot be done here. */
struct isolate *isolate_new(const struct settings *settings, child_handle *handle);
void isolate_free(struct isolate *isolate);

/* Runs a small request: a filter of the system's may forbid what the processes need. */
bool isolate_works(struct isolate *isolate);

/* Whether the spawner ended. There can be no more processes then. isolate may be NULL. */
bool isolate_is_ended(struct isolate *isolate);

/* Has request answered in a process that has nothing but a socket and its own memory. One that dies
 * or is late is a 503 problem; a text that crashes one a 500, and it is not run again. Any
 * thread. */
void isolate_run(struct isolate *isolate, struct service *service, const struct request *request,
                 struct reply *reply);

#endif
