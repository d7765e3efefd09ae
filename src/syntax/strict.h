/* Checks that ptxas accepts the syntax of a text. The grammar accepts more, for editors, fragments
 * and later versions of PTX. */
#ifndef PTXOPT_SYNTAX_STRICT_H
#define PTXOPT_SYNTAX_STRICT_H

#include "syntax/cst.h"

/* Walks the tree of source and reports what ptxas 13.0 and 13.4 refuse as a syntax error although
 * the grammar accepts it: at most eight diagnostics, in order of place. True if there is none. If
 * the .version of the text is above 9.4, unknown words are accepted, because they may be new. */
bool strict_check(const struct source *source, const struct cst *cst, struct arena *arena,
                  struct diag_list *diags);

#endif
