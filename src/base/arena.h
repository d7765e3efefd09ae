/* An arena: storage that is handed out piece by piece and released all at once. */
#ifndef PTXOPT_BASE_ARENA_H
#define PTXOPT_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

/* Zero-initialise to start empty. Pieces live until arena_free; nothing is freed singly. */
struct arena {
    struct arena_chunk *head;
    char *next, *end;
    size_t bytes; /* allocated from the system so far */
};

/* Zeroed storage aligned for pointers and 64-bit numbers; count * size bytes. Never NULL. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);

/* The same, uninitialised: for what is written before it is read. */
void *arena_room(struct arena *arena, size_t count, size_t size);

/* A NUL-terminated copy of text[0..len). */
char *arena_copy(struct arena *arena, const char *text, size_t len);

/* printf into the arena; NUL-terminated. */
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Releases everything; the arena is empty and usable again. */
void arena_free(struct arena *arena);

#endif
