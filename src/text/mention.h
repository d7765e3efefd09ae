/* Decides whether a text mentions anything that a rule could use. */
#ifndef PTXOPT_TEXT_MENTION_H
#define PTXOPT_TEXT_MENTION_H

#include <stdbool.h>

#include "base/str.h"

/* Bytes of the longest word: a search by blocks keeps one less of the block before. */
enum { MENTION_WORD = 7 };

/* False when nothing in the text can be a candidate of a rule: such a text is not changed, and
 * need not be parsed for that. True proves nothing. */
bool mention_found(struct str text);

#endif
