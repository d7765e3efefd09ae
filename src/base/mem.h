/* The one place that asks the system for memory. Out of memory is one line on standard error
 * and exit status 70: tree-sitter's own allocator aborts anyway, so inputs are bounded first and
 * no caller tests for NULL. */
#ifndef PTXOPT_BASE_MEM_H
#define PTXOPT_BASE_MEM_H

#include <stddef.h>

/* Uninitialised / zeroed / resized storage of at least one byte; never NULL. Freed with mem_free.
 */
void *mem_alloc(size_t size);
void *mem_zalloc(size_t count, size_t size);
void *mem_realloc(void *old, size_t size);
void mem_free(void *ptr);

#endif
