/* Allocates memory, charged to the work that requests it. See mem.h. */
#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/work.h"

enum { EXIT_INTERNAL = 70 };

void mem_exhausted(void)
{
    if (work_thread.open) work_leave(WORK_NO_MEMORY);
    fputs("ptxopt: out of memory\n", stderr);
    quick_exit(EXIT_INTERNAL); /* as _Exit, but a program may have a last word */
}

/* ---- headers ---- */

enum {
    MARK = 0x7078
}; /* distinguishes live blocks of this allocator from others passed by error */

static const uint64_t SIZES = ((uint64_t)1 << 48) - 1; /* that a header can hold */

static struct allocation *header_of(void *ptr)
{
    struct allocation *one = (struct allocation *)ptr - 1;
    if (one->mark != MARK) BUG("not allocated by mem.c");
    return one;
}

/* With the header. More cannot be counted. */
static size_t size_with_header(size_t size)
{
    if (size > PTRDIFF_MAX - sizeof(struct allocation) || size > SIZES / 2) mem_exhausted();
    return size + sizeof(struct allocation);
}

/* The storage of a new allocation of that size; NULL when there is none. */
static void *begin_allocation(struct allocation *one, size_t size)
{
    if (!one) return NULL;
    one->size = size & SIZES;
    one->mark = MARK;
    work_adopt(one);
    return one + 1;
}

static void *require_memory(void *ptr)
{
    if (!ptr) mem_exhausted();
    return ptr;
}

/* glibc's calloc does not take from the thread's own cache of small blocks, as malloc does; of
 * large ones it can see which are zero. */
static void *alloc_zero(size_t bytes)
{
    enum { SMALL = 1024 };
    if (bytes > SMALL) return calloc(1, bytes);
    struct allocation *one = malloc(bytes);
    /* Not the header, which is written next: a compiler makes calloc of malloc and all of it. */
    if (one) memset(one + 1, 0, bytes - sizeof *one);
    return one;
}

/* ---- the four ---- */

void *mem_alloc(size_t size)
{
    size_t bytes = size_with_header(size);
    work_charge(bytes);
    return require_memory(begin_allocation(malloc(bytes), bytes));
}

void *mem_zalloc(size_t count, size_t size)
{
    if (size && count > PTRDIFF_MAX / size) mem_exhausted();
    size_t bytes = size_with_header(count * size);
    work_charge(bytes);
    return require_memory(begin_allocation(alloc_zero(bytes), bytes));
}

void *mem_realloc(void *old, size_t size)
{
    if (!old) return mem_alloc(size);
    struct allocation *one = header_of(old);
    bool alone = one->next == one;
    size_t bytes = size_with_header(size);
    ptrdiff_t grown = (ptrdiff_t)bytes - (ptrdiff_t)one->size;
    work_charge(bytes > one->size ? bytes - one->size : 0);
    one = require_memory(realloc(one, bytes));
    one->size = bytes & SIZES;
    work_moved(one, alone, grown);
    return one + 1;
}

void mem_free(void *ptr)
{
    if (!ptr) return;
    struct allocation *one = header_of(ptr);
    work_drop(one);
    one->mark = 0;
    free(one);
}

/* ---- for the edges ---- */

void *mem_try_alloc(size_t size)
{
    size_t bytes = size_with_header(size);
    return work_may(bytes) ? begin_allocation(malloc(bytes), bytes) : NULL;
}

void *mem_try_zalloc(size_t size)
{
    size_t bytes = size_with_header(size);
    return work_may(bytes) ? begin_allocation(calloc(1, bytes), bytes) : NULL;
}

char *mem_export(const char *bytes, size_t len)
{
    char *copy = malloc(len + 1);
    if (!copy) return NULL;
    if (len) memcpy(copy, bytes, len);
    copy[len] = '\0';
    return copy;
}
