/* Tells whether a text mentions anything that a rule could want. */
#ifndef PTXOPT_TEXT_MENTION_H
#define PTXOPT_TEXT_MENTION_H

#include <stdbool.h>

#include "base/str.h"

/* Bytes of the longest word: who looks at a text in blocks keeps one less of the block before. */
enum { MENTION_WORD = 7 };

/* False when nothing in the text can be a candidate of a rule: such a text is left as it is, and
 * need not be parsed for that. True says nothing. */
bool mention_found(struct str text);

#endif
