/* A growable byte buffer. */
#ifndef PTXOPT_BASE_BUF_H
#define PTXOPT_BASE_BUF_H

#include <stddef.h>

/* Zero-initialise a buffer before its first use. data is not NUL-terminated; it is NULL while cap
 * is 0. */
struct buf {
    char *data;
    size_t len, cap;
    size_t most; /* the most bytes it may hold; adding more ends the work (work.h) with
                    WORK_OVER_LIMIT; 0: no limit */
};

/* Reserves space for exactly `more` bytes after the current ones: for callers that know the final
 * size. */
void buf_expect(struct buf *buf, size_t more);
void buf_add(struct buf *buf, const void *bytes, size_t len);
void buf_puts(struct buf *buf, const char *text);
void buf_putc(struct buf *buf, char c);
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the bytes with a NUL after them and empties the buffer. The caller owns the result and
 * frees it with mem_free. */
char *buf_take(struct buf *buf);
void buf_free(struct buf *buf);

#endif
