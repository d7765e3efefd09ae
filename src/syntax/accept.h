/* Does the grammar accept this text? */
#ifndef PTXOPT_SYNTAX_ACCEPT_H
#define PTXOPT_SYNTAX_ACCEPT_H

#include <stdint.h>

#include "base/str.h"

/* Symbols and states on the automaton's stack: SCAN_DEPTH_MAX brackets take eleven each at most
 * (the grammar gathers lists eight at a time), a chain of unary operators one a link. */
enum { ACCEPT_STACK_MAX = 50000 };

enum acceptance {
    ACCEPTED,
    ACCEPT_UNEXPECTED, /* no text of the grammar begins so */
    ACCEPT_TOO_DEEP,
    ACCEPT_COMMENT /* where none is allowed: the scan took it for a part of a string */
};

/* Reads text until it is refused; *at is then where the token starts that cannot stand there.
 * comments: may it hold some? What scan_text gives holds none. */
enum acceptance accept_text(struct str text, bool comments, uint32_t *at);

#endif
