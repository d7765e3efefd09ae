/* Finds the line of a byte. Line breaks are counted as far as needed and stored once for each
 * stride; from there, a place is found by counting again. See source.h. */
#include "text/source.h"

#include "base/bug.h"
#include "base/work.h"

enum { STRIDE = 512, LANES = 16 };

/* The line breaks before a stride, and the start of its line. */
struct stride {
    uint32_t breaks;     /* number of line breaks */
    uint32_t line_start; /* start of the line that contains its first byte */
};

struct line_index {
    uint32_t known; /* number of strides */
    struct stride strides[];
};

typedef uint8_t lanes __attribute__((vector_size(LANES)));

/* The number of line breaks, in at most a stride. */
static uint32_t count_breaks(const char *from, const char *end)
{
    uint32_t count = 0;
    lanes found = {0};
    for (; end - from >= 2 * LANES; from += 2 * LANES) {
        lanes first, second;
        memcpy(&first, from, LANES);
        memcpy(&second, from + LANES, LANES);
        found -= (lanes)(first == '\n') + (lanes)(second == '\n');
    }
    for (; from < end; from++) count += *from == '\n';
    uint64_t halves[2], even = 0x00ff00ff00ff00ff;
    memcpy(halves, &found, LANES);
    uint64_t pairs =
        (halves[0] & even) + (halves[0] >> 8 & even) + (halves[1] & even) + (halves[1] >> 8 & even);
    return count + (uint32_t)(pairs * 0x0001000100010001 >> 48);
}

void source_init(struct source *source, struct arena *arena, const char *name, struct str text)
{
    BUG_UNLESS(text.n <= SOURCE_MAX);
    size_t count = text.n / STRIDE + 1;
    struct line_index *index =
        arena_alloc(arena, 1, sizeof *index + count * sizeof *index->strides);
    index->known = 1;
    *source = (struct source){name, text, index};
}

/* The stride that contains offset. */
static uint32_t stride_of(const struct source *source, uint32_t offset)
{
    struct line_index *index = source->lines;
    for (; index->known <= offset / STRIDE; index->known++) {
        const struct stride *last = &index->strides[index->known - 1];
        const char *from = source->text.p + (size_t)(index->known - 1) * STRIDE;
        uint32_t breaks = count_breaks(from, from + STRIDE), start = last->line_start;
        if (breaks) start = (uint32_t)((char *)memrchr(from, '\n', STRIDE) + 1 - source->text.p);
        index->strides[index->known] = (struct stride){last->breaks + breaks, start};
        work_spend(STRIDE / LANES);
    }
    return offset / STRIDE;
}

struct place source_place(const struct source *source, uint32_t offset)
{
    uint32_t at = stride_of(source, offset);
    const struct stride *stride = &source->lines->strides[at];
    const char *from = source->text.p + (size_t)at * STRIDE, *end = source->text.p + offset;
    const char *feed = memrchr(from, '\n', (size_t)(end - from));
    uint32_t start = feed ? (uint32_t)(feed + 1 - source->text.p) : stride->line_start;
    return (struct place){stride->breaks + count_breaks(from, end) + 1, offset - start + 1};
}

uint32_t source_line_count(const struct source *source)
{
    return source_place(source, (uint32_t)source->text.n).line;
}

uint32_t source_line_start(const struct source *source, uint32_t line)
{
    uint32_t low = 0, high = stride_of(source, (uint32_t)source->text.n) + 1;
    const struct stride *strides = source->lines->strides;
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (strides[mid].breaks < line - 1)
            low = mid;
        else
            high = mid;
    }
    const char *at = source->text.p + (size_t)low * STRIDE, *end = source->text.p + source->text.n;
    if (line == 1) return 0;
    for (uint32_t breaks = strides[low].breaks; at && breaks + 1 < line; breaks++) {
        at = memchr(at, '\n', (size_t)(end - at));
        if (at) at++;
    }
    return at ? (uint32_t)(at - source->text.p) : (uint32_t)source->text.n;
}
