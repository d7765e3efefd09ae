/* The way of one request from its bytes to its answer. */
#ifndef SERVER_WORK_ANSWER_H
#define SERVER_WORK_ANSWER_H

#include "server/handle/routes.h"

/* The answer to a whole request that precheck_request let through: decompresses its body, looks in
 * the caches, runs the handler (in a separate process under --isolate) and compresses. */
void answer_request(struct service *service, const struct route *route, struct request *request,
                    struct reply *reply);

#endif
