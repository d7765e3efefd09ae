/* Where does memory come from, and what happens when there is none? See mem.h. */
#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_INTERNAL = 70 };

static void *checked(void *ptr)
{
    if (ptr) return ptr;
    fputs("ptxopt: out of memory\n", stderr);
    quick_exit(EXIT_INTERNAL); /* as _Exit, but a program may have a last word */
}

void *mem_alloc(size_t size)
{
    return checked(malloc(size ? size : 1));
}

void *mem_zalloc(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size ? size : 1));
}

void *mem_realloc(void *old, size_t size)
{
    return checked(realloc(old, size ? size : 1));
}

void mem_free(void *ptr)
{
    free(ptr);
}
