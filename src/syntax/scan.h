/* The lexical guard: refuses what must not reach the parser, and blanks what it need not see. */
#ifndef PTXOPT_SYNTAX_SCAN_H
#define PTXOPT_SYNTAX_SCAN_H

#include "text/diag.h"

/* Nesting of brackets that is accepted. */
enum { SCAN_DEPTH_MAX = 4000 };

/* A copy of the text, of the same length, in which comments and line markers are blanks: offsets
 * and lines do not change. Released with mem_free. NULL, and one diagnostic with the place and the
 * reason, if the text has a NUL byte, a comment or string that does not end, or deeper nesting. */
char *scan_text(const struct source *source, struct arena *arena, struct diag_list *diags);

#endif
