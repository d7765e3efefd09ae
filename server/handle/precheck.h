/* The checks of a request that need no body. */
#ifndef SERVER_HANDLE_PRECHECK_H
#define SERVER_HANDLE_PRECHECK_H

#include "server/handle/routes.h"

/* Checks a request's head. A fault: false, and a problem in reply. Else true, and *route and
 * request->wants are set. Errors: 404, 405, 406, 411, 413, 415. */
bool precheck_request(const struct settings *settings, struct request *request,
                      const struct route **route, struct reply *reply);

#endif
