/* A growable byte buffer. */
#ifndef PTXOPT_BASE_BUF_H
#define PTXOPT_BASE_BUF_H

#include <stddef.h>

/* Zero-initialise to start empty. data is not NUL-terminated; NULL while cap is 0. */
struct buf {
    char *data;
    size_t len, cap;
    size_t most; /* bytes; adding more leaves the work (work.h), WORK_OVER_LIMIT; 0: no limit */
};

/* Makes room for that many bytes more, and no others: when the number is known. */
void buf_expect(struct buf *buf, size_t more);
void buf_add(struct buf *buf, const void *bytes, size_t len);
void buf_puts(struct buf *buf, const char *text);
void buf_putc(struct buf *buf, char c);
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The bytes with a NUL after them, owned by the caller (mem_free); the buffer is empty again. */
char *buf_take(struct buf *buf);
void buf_free(struct buf *buf);

#endif
