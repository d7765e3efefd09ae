/* The one place that allocates memory from the system. No caller tests for NULL: when there is no
 * more, control leaves the work (work.h) that is going on; outside, where only programs are, that
 * is one line on standard error and exit status 70. */
#ifndef PTXOPT_BASE_MEM_H
#define PTXOPT_BASE_MEM_H

#include <stddef.h>

/* Uninitialised / zeroed / resized storage, aligned for pointers and 64-bit numbers; never NULL,
 * not for 0 bytes either. Freed with mem_free, and only so. */
void *mem_alloc(size_t size);
void *mem_zalloc(size_t count, size_t size);
void *mem_realloc(void *old, size_t size);
void mem_free(void *ptr);

/* As mem_alloc(size) and mem_zalloc(1, size), but NULL when there is none. */
void *mem_try_alloc(size_t size);
void *mem_try_zalloc(size_t size);

/* A copy of bytes[0..len), with a NUL after it, for free(): what leaves the library. NULL when
 * there is no memory. */
char *mem_export(const char *bytes, size_t len);

/* What happens when there is no more. */
_Noreturn void mem_exhausted(void);

#endif
