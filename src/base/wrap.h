/* Breaks text into lines that fit a terminal of 80 columns. */
#ifndef PTXOPT_BASE_WRAP_H
#define PTXOPT_BASE_WRAP_H

#include <stddef.h>

#include "base/buf.h"
#include "base/str.h"

/* Appends text and a line feed to out. Lines break at blanks before column 80; a run of blanks
 * becomes one blank; a longer word has a line of its own. indent: the column in bytes, from 0,
 * where out already is; each further line is indented by it. */
void wrap_add(struct buf *out, struct str text, size_t indent);

#endif
