/* Finds the words with a dot that are in the grammar. */
#ifndef PTXOPT_SYNTAX_KEYWORD_H
#define PTXOPT_SYNTAX_KEYWORD_H

#include "syntax/token.h"

/* Returns the kind of a word that begins with a dot and a letter or digit: a keyword,
 * TOKEN_VECTOR_TYPE, TOKEN_MODIFIER, or TOKEN_ODD if the kind depends on the place. */
enum token_kind keyword_kind(struct str word);

/* Returns the word of a keyword, such as ".branchtargets". kind must be that of a keyword. */
const char *keyword_word(enum token_kind kind);

#endif
