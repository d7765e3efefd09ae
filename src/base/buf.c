/* Builds a text of unknown length. See buf.h. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/work.h"

static void buf_resize(struct buf *buf, size_t cap)
{
    buf->data = mem_realloc(buf->data, cap);
    buf->cap = cap;
}

static void buf_reserve(struct buf *buf, size_t more)
{
    if (more <= buf->cap - buf->len) return;
    if (buf->most && more > buf->most - buf->len) work_leave(WORK_OVER_LIMIT);
    size_t cap = buf->cap ? buf->cap : 256;
    while (cap - buf->len < more) cap *= 2;
    if (buf->most && cap > buf->most) cap = buf->most;
    buf_resize(buf, cap);
}

void buf_expect(struct buf *buf, size_t more)
{
    if (more > buf->cap - buf->len) buf_resize(buf, buf->len + more);
}

void buf_add(struct buf *buf, const void *bytes, size_t len)
{
    if (!len) return;
    buf_reserve(buf, len);
    memcpy(buf->data + buf->len, bytes, len);
    buf->len += len;
}

void buf_puts(struct buf *buf, const char *text)
{
    buf_add(buf, text, strlen(text));
}

void buf_putc(struct buf *buf, char c)
{
    buf_reserve(buf, 1);
    buf->data[buf->len++] = c;
}

void buf_printf(struct buf *buf, const char *format, ...)
{
    va_list args, again;
    work_spend(1);
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len < 0) mem_exhausted(); /* these formats cannot fail otherwise */
    buf_reserve(buf, (size_t)len + 1);
    if (vsnprintf(buf->data + buf->len, (size_t)len + 1, format, again) != len) mem_exhausted();
    va_end(again);
    buf->len += (size_t)len;
}

char *buf_take(struct buf *buf)
{
    buf_putc(buf, '\0');
    char *data = buf->data;
    *buf = (struct buf){0};
    return data;
}

void buf_free(struct buf *buf)
{
    mem_free(buf->data);
    *buf = (struct buf){0};
}
