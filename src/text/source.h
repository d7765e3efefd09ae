/* An immutable text with a name and an index of its lines. */
#ifndef PTXOPT_TEXT_SOURCE_H
#define PTXOPT_TEXT_SOURCE_H

#include "base/arena.h"
#include "base/str.h"
#include "text/span.h"

/* Offsets have 32 bits, so a text has at most SOURCE_MAX bytes. */
#define SOURCE_MAX ((size_t)1 << 30)

struct source {
    const char *name;
    struct str text;
    struct line_index *lines; /* grows when it is used, so only one thread at a time may use it */
};

/* Initialises a source. text is borrowed and must outlive the source; it has at most SOURCE_MAX
 * bytes. The index of lines is in arena. A line ends at LF, so numbers match those of ptxas. */
void source_init(struct source *source, struct arena *arena, const char *name, struct str text);

struct place source_place(const struct source *source, uint32_t offset);

/* The number of lines, at least 1: the last line is the text after the last LF. */
uint32_t source_line_count(const struct source *source);

/* The offset at which a line (from 1) begins; the length of the text for lines that do not
 * exist. */
uint32_t source_line_start(const struct source *source, uint32_t line);

static inline struct str source_slice(const struct source *source, struct span span)
{
    return (struct str){source->text.p + span.start, span.end - span.start};
}

#endif
