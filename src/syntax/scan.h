/* The lexical guard: refuses what must not reach the parser, and blanks what it need not see. */
#ifndef PTXOPT_SYNTAX_SCAN_H
#define PTXOPT_SYNTAX_SCAN_H

#include "text/diag.h"

/* Nesting of brackets that is accepted. */
enum { SCAN_DEPTH_MAX = 4000 };

/* A copy of the text, of the same length, in which comments and line markers are blanks: offsets
 * and lines stay. Released with mem_free. NULL, and one diagnostic that says where and why, when
 * the text holds a NUL byte, a comment or string that never ends, or deeper nesting. */
char *scan_text(const struct source *source, struct arena *arena, struct diag_list *diags);

#endif
