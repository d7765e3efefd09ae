/* Grows buffers that a client can make large without ending the process when memory runs out. See
 * attempt.h. */
#include "server/base/attempt.h"

#include <string.h>

#include "base/mem.h"
#include "base/work.h"

enum { FIRST = 256 };

static bool attempt_grow(struct buf *buf, size_t more)
{
    size_t cap = buf->cap ? buf->cap : FIRST;
    while (cap - buf->len < more) cap *= 2;
    char *data = mem_try_alloc(cap);
    if (!data) return false;
    if (buf->len) memcpy(data, buf->data, buf->len);
    mem_free(buf->data);
    buf->data = data;
    buf->cap = cap;
    return true;
}

bool attempt_add(struct buf *buf, const void *bytes, size_t len)
{
    if (len > buf->cap - buf->len && !attempt_grow(buf, len)) return false;
    buf_add(buf, bytes, len);
    return true;
}

void attempt_expect(struct buf *buf, size_t len)
{
    if (buf->cap || !len) return;
    buf->data = mem_try_alloc(len);
    if (buf->data) buf->cap = len;
}

bool attempt(void (*run)(void *context), void *context)
{
    return work_run(NULL, run, context).end == WORK_DONE;
}
