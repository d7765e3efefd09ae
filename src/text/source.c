/* On which line is this byte? */
#include "text/source.h"

#include "base/bug.h"

static const char *line_end(const char *from, const char *end)
{
    return memchr(from, '\n', (size_t)(end - from));
}

void source_init(struct source *source, struct arena *arena, const char *name, struct str text)
{
    BUG_UNLESS(text.n <= SOURCE_MAX);
    const char *end = text.p + text.n;
    uint32_t count = 1;
    for (const char *p = text.p; p < end && (p = line_end(p, end)); p++) count++;
    uint32_t *starts = arena_alloc(arena, count, sizeof *starts);
    uint32_t n = 1;
    for (const char *p = text.p; p < end && (p = line_end(p, end)); p++)
        starts[n++] = (uint32_t)(p + 1 - text.p);
    *source = (struct source){name, text, starts, count};
}

struct place source_place(const struct source *source, uint32_t offset)
{
    uint32_t low = 0, high = source->line_count;
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (source->line_start[mid] <= offset)
            low = mid;
        else
            high = mid;
    }
    return (struct place){low + 1, offset - source->line_start[low] + 1};
}
