/* Allocates small objects of equal lifetime by moving a pointer through a list of chunks. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "base/mem.h"
#include "base/work.h"

enum { CHUNK_BYTES = 64 * 1024 };

struct arena_chunk {
    struct arena_chunk *next;
    uint64_t data[];
};

static size_t aligned_size(size_t bytes)
{
    const size_t align = alignof(uint64_t);
    return (bytes + align - 1) / align * align;
}

void *arena_room(struct arena *arena, size_t count, size_t size)
{
    work_spend(1);
    if (size && count > (SIZE_MAX / 2) / size) BUG("arena request overflows");
    size_t want = aligned_size(count * size);
    if (!arena->head || want > (size_t)(arena->end - arena->next)) {
        size_t room = want > CHUNK_BYTES ? want : CHUNK_BYTES;
        struct arena_chunk *chunk = mem_alloc(sizeof *chunk + room);
        chunk->next = arena->head;
        arena->head = chunk;
        arena->next = (char *)chunk->data;
        arena->end = arena->next + room;
        arena->bytes += room;
    }
    void *piece = arena->next;
    arena->next += want;
    return piece;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
    void *piece = arena_room(arena, count, size);
    size_t want = aligned_size(count * size);
    return want ? memset(piece, 0, want) : piece;
}

char *arena_copy(struct arena *arena, const char *text, size_t len)
{
    char *copy = arena_room(arena, len + 1, 1);
    if (len) memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args, again;
    size_t room = (size_t)(arena->end - arena->next);
    work_spend(1);
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(arena->next, room, format, args);
    va_end(args);
    if (len < 0) mem_exhausted(); /* these formats cannot fail otherwise */
    bool fits = (size_t)len < room;
    char *text = fits ? arena->next : arena_alloc(arena, (size_t)len + 1, 1);
    if (fits) arena->next += aligned_size((size_t)len + 1);
    if (!fits && vsnprintf(text, (size_t)len + 1, format, again) != len) mem_exhausted();
    va_end(again);
    return text;
}

void arena_free(struct arena *arena)
{
    for (struct arena_chunk *chunk = arena->head, *next; chunk; chunk = next) {
        next = chunk->next;
        mem_free(chunk);
    }
    *arena = (struct arena){0};
}
