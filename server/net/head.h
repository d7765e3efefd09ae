/* A request's head as clients write it, made into what the rest of the service expects. */
#ifndef SERVER_NET_HEAD_H
#define SERVER_NET_HEAD_H

#include "server/base/message.h"

/* The path of a request target: of the absolute form (RFC 9112, section 3.2.2) what follows the
 * authority. */
const char *head_path(const char *target);

/* Sets request->host: the authority of a target in the absolute form, else Host. */
void head_address(struct request *request, const char *target);

/* Lists in several lines become one (RFC 9110, section 5.3); two Authorization lines become
 * none. */
void head_join(struct request *request);

/* Sets request->trace, by the traceparent header. */
void head_trace(struct request *request);

/* Sets request->id: the client's own X-Request-Id when it is up to 64 letters, digits and
 * . _ - : / + = @, else a random one. */
void head_name(struct request *request);

#endif
