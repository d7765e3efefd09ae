/* Checks debug data, of which a text may have more than code. */
#ifndef PTXOPT_SYNTAX_SECTION_H
#define PTXOPT_SYNTAX_SECTION_H

#include "syntax/token.h"

/* Moves the lexer from after .section to after its '}'. False if the section has anything other
 * than labels, lists of numbers and names, and comments: then the grammar must decide, and the
 * position of the lexer is undefined. tests/unit/test_section.c compares the result with
 * accept_piece. */
bool section_is_plain(struct lexer *lexer);

#endif
