/* Where does memory come from, and what happens when there is none? See mem.h. */
#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/work.h"

enum { EXIT_INTERNAL = 70 };

void mem_exhausted(void)
{
    if (work_thread.open) work_leave(WORK_NO_MEMORY);
    fputs("ptxopt: out of memory\n", stderr);
    quick_exit(EXIT_INTERNAL); /* as _Exit, but a program may have a last word */
}

static struct allocation *block_of(void *ptr)
{
    return (struct allocation *)ptr - 1;
}

/* With the block before it; SIZE_MAX, which nobody has, when that is too much. */
static size_t whole(size_t size)
{
    return size < PTRDIFF_MAX - sizeof(struct allocation) ? size + sizeof(struct allocation) : SIZE_MAX;
}

/* The bytes of a new block of that size; NULL when there is none. */
static void *begin(struct allocation *block, size_t size)
{
    if (!block) return NULL;
    block->size = size;
    work_adopt(block);
    return block + 1;
}

static void *checked(void *ptr)
{
    if (!ptr) mem_exhausted();
    return ptr;
}

void *mem_alloc(size_t size)
{
    size_t bytes = whole(size);
    work_charge(bytes);
    return checked(begin(malloc(bytes), bytes));
}

void *mem_zalloc(size_t count, size_t size)
{
    size_t bytes = size && count > PTRDIFF_MAX / size ? SIZE_MAX : whole(count * size);
    work_charge(bytes);
    return checked(begin(calloc(1, bytes), bytes));
}

void *mem_realloc(void *old, size_t size)
{
    if (!old) return mem_alloc(size);
    struct allocation *block = block_of(old);
    bool alone = block->next == block;
    size_t bytes = whole(size);
    work_charge(bytes > block->size ? bytes - block->size : 0);
    block = realloc(block, bytes);
    if (!block) mem_exhausted();
    work_moved(block, alone, bytes);
    return block + 1;
}

void mem_free(void *ptr)
{
    if (!ptr) return;
    work_drop(block_of(ptr));
    free(block_of(ptr));
}

void *mem_try_zalloc(size_t size)
{
    size_t bytes = whole(size);
    return work_may(bytes) ? begin(calloc(1, bytes), bytes) : NULL;
}

char *mem_export(const char *bytes, size_t len)
{
    char *copy = malloc(len + 1);
    if (!copy) return NULL;
    if (len) memcpy(copy, bytes, len);
    copy[len] = '\0';
    return copy;
}
