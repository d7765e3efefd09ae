/* Runs a handler here, or in a separate process. */
#ifndef SERVER_WORK_RUN_H
#define SERVER_WORK_RUN_H

#include "base/work.h"
#include "server/handle/routes.h"

/* The handler, in a separate process under --isolate. */
void run_request(struct service *service, const struct route *route, const struct request *request,
                 struct reply *reply);

/* The handler here. Within --work-memory, --max-answer and, for reports, --report-cpu-timeout, and
 * until the request is abandoned; when it does not complete reply says why. */
enum work_end run_here(struct service *service, const struct route *route,
                       const struct request *request, struct reply *reply);

/* The work of a process of --isolate, for isolate_new: it only has the settings. */
enum work_end run_in_child(const struct settings *settings, struct request *request,
                           struct reply *reply);

#endif
