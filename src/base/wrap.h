/* Breaks text for people into lines that fit a terminal of 80 columns. */
#ifndef PTXOPT_BASE_WRAP_H
#define PTXOPT_BASE_WRAP_H

#include <stddef.h>

#include "base/buf.h"
#include "base/str.h"

/* Adds text and a line feed. Lines break at blanks before column 80; a run of blanks becomes one; a
 * longer word has its own line. The text begins at column indent (bytes, from 0), where out must
 * already be, and each further line is indented by that much. */
void wrap_add(struct buf *out, struct str text, size_t indent);

#endif
