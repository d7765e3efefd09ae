/* Ranges of answers to GET: RFC 9110, section 14. */
#ifndef SERVER_HANDLE_RANGE_H
#define SERVER_HANDLE_RANGE_H

#include "server/base/message.h"

/* To a GET with "Range: bytes=…" of one range: 206 with those bytes in place of 200, or 416 when
 * there are none of them. Another unit, several ranges, and an If-Range that is not the answer's
 * ETag leave the whole answer. */
void range_apply(const struct request *request, struct reply *reply);

#endif
