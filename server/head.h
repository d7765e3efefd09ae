/* A request's head as clients write it, made into what the rest of the service expects. */
#ifndef SERVER_HEAD_H
#define SERVER_HEAD_H

#include "server/message.h"

/* The path of a request target: of the absolute form (RFC 9112, section 3.2.2) what follows the
 * authority. */
const char *head_path(const char *target);

/* Lists in several lines become one (RFC 9110, section 5.3); two Authorization lines become none. */
void head_join(struct request *request);

/* What is wrong with the lines that say where a request ends, or whom it is for (RFC 9112, sections
 * 3.2 and 6.3): others on the way may read them otherwise. NULL when nothing is. */
const char *head_ambiguity(struct request *request);

/* Bytes of the target, path and query; of all header lines. */
size_t head_target_size(const struct request *request);
size_t head_size(const struct request *request);

/* Sets request->id: the client's own X-Request-Id when it is up to 64 letters, digits and
 * . _ - : / + = @, else a random one. */
void head_name(struct request *request);

#endif
