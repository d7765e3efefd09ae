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
    quick_exit(EXIT_INTERNAL); /* runs the at_quick_exit handlers of the program */
}

/* ---- headers ---- */

enum { MARK = 0x7078 }; /* tells live blocks of this allocator from other pointers */

/* The greatest size that a header can store. */
static const uint64_t SIZES = ((uint64_t)1 << 48) - 1;

static struct allocation *header_of(void *ptr)
{
    struct allocation *one = (struct allocation *)ptr - 1;
    if (one->mark != MARK) BUG("not allocated by mem.c");
    return one;
}

/* Returns the size including the header. Ends the work if a header cannot store it. */
static size_t size_with_header(size_t size)
{
    if (size > PTRDIFF_MAX - sizeof(struct allocation) || size > SIZES / 2) mem_exhausted();
    return size + sizeof(struct allocation);
}

/* Initialises the header of a new allocation of size bytes, and returns the storage after it. NULL
 * if one is NULL. */
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

/* The bytes that are asked of malloc: a small block is as large as its class. */
static size_t mem_room_of(size_t bytes)
{
    size_t class = work_class(bytes);
    return class < WORK_SPARE_CLASSES ? class * WORK_SPARE_STEP - WORK_SPARE_HEAD : bytes;
}

static void *alloc_any(size_t bytes)
{
    struct allocation *one = work_take_spare(work_class(bytes));
    return one ? one : malloc(mem_room_of(bytes));
}

/* For small blocks malloc and memset are faster: calloc of glibc does not use the per-thread cache
 * of freed blocks. For large blocks calloc is faster: it does not clear pages that are new from the
 * system. */
static void *alloc_zero(size_t bytes)
{
    if (work_class(bytes) >= WORK_SPARE_CLASSES) return calloc(1, bytes);
    struct allocation *one = alloc_any(bytes);
    /* Leaves out the header, which the caller writes. If memset covered the whole block, the
     * compiler would replace malloc and memset by calloc. */
    if (one) memset(one + 1, 0, bytes - sizeof *one);
    return one;
}

/* ---- allocation that never returns NULL ---- */

void *mem_alloc(size_t size)
{
    size_t bytes = size_with_header(size);
    work_charge(bytes);
    return require_memory(begin_allocation(alloc_any(bytes), bytes));
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
    if (mem_room_of(bytes) != mem_room_of(one->size))
        one = require_memory(realloc(one, mem_room_of(bytes)));
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
    if (!work_keep_spare(one)) free(one);
}

/* ---- allocation that may return NULL ---- */

void *mem_try_alloc(size_t size)
{
    size_t bytes = size_with_header(size);
    return work_may(bytes) ? begin_allocation(alloc_any(bytes), bytes) : NULL;
}

void *mem_try_zalloc(size_t size)
{
    size_t bytes = size_with_header(size);
    return work_may(bytes) ? begin_allocation(alloc_zero(bytes), bytes) : NULL;
}

char *mem_export(const char *bytes, size_t len)
{
    char *copy = malloc(len + 1);
    if (!copy) return NULL;
    if (len) memcpy(copy, bytes, len);
    copy[len] = '\0';
    return copy;
}
