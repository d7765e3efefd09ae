/* Makes a separate line for an instruction that is inserted. */
#ifndef PTXOPT_TEXT_INSERT_H
#define PTXOPT_TEXT_INSERT_H

#include "text/source.h"

/* The inserted lines, and their place: whole lines in front of the byte at, which begins a line. */
struct insert {
    uint32_t at;
    struct str text; /* with its line end */
};

/* The line for an instruction beside the one at span, in front of it or after: indented as that
 * is, ended as its line is, and with guarded under its guard. Comments for ptxopt are kept
 * with what they are about. inner: span is in a nested block of the body, and the brace may
 * be on that side of the line; the new line is then outside. False, with nothing set, where
 * anything else is. In arena. */
bool insert_line(struct insert *insert, const struct source *source, struct span span, bool behind,
                 bool guarded, bool inner, const char *instruction, struct arena *arena);

#endif
