/* Decides whether the grammar accepts a text. */
#ifndef PTXOPT_SYNTAX_ACCEPT_H
#define PTXOPT_SYNTAX_ACCEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Symbols and states on the automaton's stack: SCAN_DEPTH_MAX brackets take eleven each at most
 * (the grammar gathers lists eight at a time), a chain of unary operators one a link. */
enum { ACCEPT_STACK_MAX = 50000 };

enum acceptance {
    ACCEPTED,
    ACCEPT_UNEXPECTED, /* no text of the grammar begins so */
    ACCEPT_TOO_DEEP,
    ACCEPT_COMMENT /* where none is allowed: the scan took it for a part of a string, or a '#' for
                      no line marker */
};

/* Reads text, as scan_text gives it, until it is refused; *at is then where the token starts that
 * is not possible there. */
enum acceptance accept_text(struct str text, uint32_t *at);

/* Whether the grammar accepts this statement of module level, which may hold comments, well within
 * the limits of a text that it is a piece of. */
bool accept_piece(struct str text);

#endif
