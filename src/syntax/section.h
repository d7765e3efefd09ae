/* Debug data, which a text may hold more of than of code. */
#ifndef PTXOPT_SYNTAX_SECTION_H
#define PTXOPT_SYNTAX_SECTION_H

#include "syntax/token.h"

/* Moves from after .section to after its '}'. False, and it is anywhere, when it holds more than
 * labels, lists of numbers and names, and comments: then the grammar must decide.
 * tests/unit/test_section.c holds this against accept_piece. */
bool section_is_plain(struct lexer *lexer);

#endif
