/* The check of an answer that came from a shared cache. */
#ifndef SERVER_WORK_PROVE_H
#define SERVER_WORK_PROVE_H

#include "server/base/message.h"
#include "server/base/service.h"

/* Whether the checker proves after from request's text. Runs as a request of /v1/verify, so that
 * under --isolate it has a separate process, too. */
bool prove_again(struct service *service, const struct request *request, struct str after);

#endif
