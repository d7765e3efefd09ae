/* An arena: an allocator whose allocations are all freed at once. */
#ifndef PTXOPT_BASE_ARENA_H
#define PTXOPT_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

/* Zero-initialise an arena before its first use. Each allocation is valid until arena_free; no
 * allocation is freed separately. The functions below never return NULL: see mem.h for what happens
 * when there is no memory. */
struct arena {
    struct arena_chunk *head;
    char *next, *end;
    size_t bytes; /* requested from the system so far */
};

/* Returns count * size zeroed bytes, aligned for pointers and 64-bit numbers. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);

/* As arena_alloc, but uninitialised: the caller writes the bytes before it reads them. */
void *arena_room(struct arena *arena, size_t count, size_t size);

/* Returns a NUL-terminated copy of text[0..len). */
char *arena_copy(struct arena *arena, const char *text, size_t len);

/* Returns the output of printf as a NUL-terminated string in the arena. */
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Frees all allocations of the arena, which is then empty and may be used again. */
void arena_free(struct arena *arena);

#endif
