/* What do the words mean that findings and options use? Rules, reasons to keep, assumptions, codes
 * of lint. */
#ifndef PTXOPT_CLI_EXPLAIN_H
#define PTXOPT_CLI_EXPLAIN_H

#include <stdbool.h>

#include "base/buf.h"

/* Adds all that there is to say of one word, or, for "all", of each, in order. False, and nothing
 * added, when nobody uses it; then error says what is near and where they are listed. */
bool explain_word(struct buf *out, const char *word, struct buf *error);

#endif
