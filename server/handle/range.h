/* Ranges of answers to GET: RFC 9110, section 14. */
#ifndef SERVER_HANDLE_RANGE_H
#define SERVER_HANDLE_RANGE_H

#include "server/base/message.h"

/* For a GET with "Range: bytes=…" of one range: 206 with those bytes instead of 200, or 416 if the
 * answer has none of them. With another unit, several ranges, or an If-Range that is not the
 * answer's ETag, the complete answer is sent. */
void range_apply(const struct request *request, struct reply *reply);

#endif
