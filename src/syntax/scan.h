/* The lexical guard: what must not reach the parser. */
#ifndef PTXOPT_SYNTAX_SCAN_H
#define PTXOPT_SYNTAX_SCAN_H

#include <stdbool.h>

#include "text/diag.h"

/* Nesting that is accepted: brackets, and chains of unary and conditional operators. libtree-sitter
 * 0.20.7 counts the children of an error node in 16 bits and frees twice beyond; its stack never
 * gets that deep behind this bound. */
enum { SCAN_DEPTH_MAX = 10000 };

/* True when text may be parsed; else one diagnostic says where and why not. */
bool scan_check(const struct source *source, struct arena *arena, struct diag_list *diags);

#endif
