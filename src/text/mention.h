/* Decides whether a text mentions anything that a rule could use. */
#ifndef PTXOPT_TEXT_MENTION_H
#define PTXOPT_TEXT_MENTION_H

#include <stdbool.h>

#include "base/str.h"

/* Length of the longest word: a search in blocks must keep one byte less of the previous block. */
enum { MENTION_WORD = 7 };

/* False if nothing in the text can be a candidate of a rule: such a text is not changed, and need
 * not be parsed for the rules. True proves nothing. */
bool mention_found(struct str text);

#endif
