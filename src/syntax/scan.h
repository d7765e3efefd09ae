/* Refuses texts that must not reach the parser, and replaces comments by blanks. */
#ifndef PTXOPT_SYNTAX_SCAN_H
#define PTXOPT_SYNTAX_SCAN_H

#include "text/diag.h"

/* The deepest accepted nesting of brackets. */
enum { SCAN_DEPTH_MAX = 4000 };

/* Returns a copy of the text, of the same length, in which comments and line markers are blanks, so
 * offsets and lines do not change. The caller frees it with mem_free. If the text has a NUL byte, a
 * comment or string without an end, or deeper nesting, returns NULL and adds one diagnostic with
 * the place and the reason. */
char *scan_text(const struct source *source, struct arena *arena, struct diag_list *diags);

#endif
