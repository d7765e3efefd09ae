/* The only code that allocates memory from the system. Callers do not test for NULL: without
 * memory, the current work (work.h) ends with WORK_NO_MEMORY or WORK_OVER_LIMIT. Outside of any
 * work, which only happens in programs, the process prints one line on standard error and exits
 * with status 70. */
#ifndef PTXOPT_BASE_MEM_H
#define PTXOPT_BASE_MEM_H

#include <stddef.h>

/* Return uninitialised, zeroed and resized storage, aligned for pointers and 64-bit numbers. The
 * result is never NULL, even for 0 bytes. Free it with mem_free only. */
void *mem_alloc(size_t size);
void *mem_zalloc(size_t count, size_t size);
void *mem_realloc(void *old, size_t size);
void mem_free(void *ptr);

/* As mem_alloc(size) and mem_zalloc(1, size), but return NULL if there is no memory. */
void *mem_try_alloc(size_t size);
void *mem_try_zalloc(size_t size);

/* Returns a copy of bytes[0..len) with a NUL after it that callers of the library own and release
 * with free(). NULL if there is no memory. */
char *mem_export(const char *bytes, size_t len);

/* Ends the work or the process because the system has no memory. */
_Noreturn void mem_exhausted(void);

#endif
