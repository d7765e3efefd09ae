/* An immutable text with a name and an index of its lines. */
#ifndef PTXOPT_TEXT_SOURCE_H
#define PTXOPT_TEXT_SOURCE_H

#include "base/arena.h"
#include "base/str.h"
#include "text/span.h"

/* Offsets are 32 bits: a text is at most SOURCE_MAX bytes. */
#define SOURCE_MAX ((size_t)1 << 30)

struct source {
    const char *name;
    struct str text;
    struct line_index *lines; /* grows when it is used: one thread at a time */
};

/* Text is borrowed and must outlive the source; the index of its lines is in arena. A line ends at
 * LF, so that numbers match ptxas's. len must not exceed SOURCE_MAX. */
void source_init(struct source *source, struct arena *arena, const char *name, struct str text);

struct place source_place(const struct source *source, uint32_t offset);

/* At least 1: the last one is the text after the last LF. */
uint32_t source_line_count(const struct source *source);

/* Where a line, from 1, begins; the end of the text for those that it does not have. */
uint32_t source_line_start(const struct source *source, uint32_t line);

static inline struct str source_slice(const struct source *source, struct span span)
{
    return (struct str){source->text.p + span.start, span.end - span.start};
}

#endif
