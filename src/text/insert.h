/* Makes a line of its own for an instruction that is inserted. */
#ifndef PTXOPT_TEXT_INSERT_H
#define PTXOPT_TEXT_INSERT_H

#include "text/source.h"

/* One or more complete lines, to be inserted before the byte `at`, which begins a line. */
struct insert {
    uint32_t at;
    struct str text; /* with line end */
};

/* Makes the line for an instruction before the one at span, or after it (behind). It is indented
 * like that instruction, has the line end of its line, and with guarded its guard. Comments for
 * ptxopt stay with the instructions that they are about. inner: span is in a nested block of the
 * body, and a brace of the block may be on that side of the line; the new line is then outside the
 * block. False, with nothing set, if anything else is on that side of the line. The text is in
 * arena. */
bool insert_line(struct insert *insert, const struct source *source, struct span span, bool behind,
                 bool guarded, bool inner, const char *instruction, struct arena *arena);

#endif
