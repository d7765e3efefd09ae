/* The lexical guard: what must not reach the parser. */
#ifndef PTXOPT_SYNTAX_SCAN_H
#define PTXOPT_SYNTAX_SCAN_H

#include <stdbool.h>

#include "text/diag.h"

/* Nesting that is accepted: brackets, chains of operators and casts, guards without an instruction.
 * libtree-sitter 0.20.7 counts the children of an error node in 16 bits and frees twice beyond. A text
 * that ends in the middle of its nesting makes one such node of the whole stack: at most 11 entries a
 * bracket (the grammar gathers lists eight at a time) and 4 a link of a chain, together below 65,536. */
enum { SCAN_DEPTH_MAX = 4000 };

/* Bytes of one statement that is no table, blanks and comments left out and a string being one byte.
 * Errors that follow one another without a ';', '{' or '}' also end in one node: fewer than 65,536. */
enum { SCAN_STATEMENT_MAX = 60000 };

/* True when text may be parsed; else one diagnostic says where and why not. */
bool scan_check(const struct source *source, struct arena *arena, struct diag_list *diags);

#endif
