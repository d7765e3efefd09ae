/* Decides whether the grammar accepts a text. */
#ifndef PTXOPT_SYNTAX_ACCEPT_H
#define PTXOPT_SYNTAX_ACCEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* The most states on the stack of the automaton. SCAN_DEPTH_MAX brackets take at most eleven each
 * (the grammar collects lists in groups of eight); a chain of unary operators takes one for each
 * operator. */
enum { ACCEPT_STACK_MAX = 50000 };

enum acceptance {
    ACCEPTED,
    ACCEPT_UNEXPECTED, /* no text of the grammar begins with the text up to here */
    ACCEPT_TOO_DEEP,
    ACCEPT_COMMENT /* a comment where none is allowed: the scan took it for a part of a string, or a
                      '#' that begins no line marker */
};

/* Reads text, which must come from scan_text, until it is refused; *at is then the offset of the
 * token that is not possible there. */
enum acceptance accept_text(struct str text, uint32_t *at);

/* The grammar accepts this statement of module level, which may have comments, and the statement is
 * far below the limits of a whole text. */
bool accept_piece(struct str text);

#endif
