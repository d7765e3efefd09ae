/* Allocations that a client can make large, outside of the work of a handler (base/work.h), where
 * missing memory would end the process. */
#ifndef SERVER_BASE_ATTEMPT_H
#define SERVER_BASE_ATTEMPT_H

#include <stdbool.h>

#include "base/buf.h"

/* buf_add; false, and nothing is added, when there is no memory. */
bool attempt_add(struct buf *buf, const void *bytes, size_t len);

/* Makes room for len bytes in an empty buf, where there is memory for them. */
void attempt_expect(struct buf *buf, size_t len);

/* run(context) as separate work, without limits; false, and all that it allocated is freed, when
 * it did not complete. */
bool attempt(void (*run)(void *context), void *context);

#endif
