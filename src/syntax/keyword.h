/* Finds the words with a dot that the grammar has. */
#ifndef PTXOPT_SYNTAX_KEYWORD_H
#define PTXOPT_SYNTAX_KEYWORD_H

#include "syntax/token.h"

/* What a word is that begins with a dot and has a letter or digit after it: a keyword, a
 * TOKEN_VECTOR_TYPE, a TOKEN_MODIFIER, or TOKEN_ODD when that depends on the place. */
enum token_kind keyword_kind(struct str word);

/* ".branchtargets"; of a keyword's kind. */
const char *keyword_word(enum token_kind kind);

#endif
