/* Checks that a text is what ptxas calls PTX. The grammar accepts more, for editors, fragments and
 * versions to come. */
#ifndef PTXOPT_SYNTAX_STRICT_H
#define PTXOPT_SYNTAX_STRICT_H

#include "syntax/cst.h"

/* Walks the tree of source and names what ptxas 13.0 and 13.4 call a syntax error though the
 * grammar accepts it: up to a handful of diagnostics, in order of place. True when there is none.
 * Of a text whose .version is above 9.4 unknown words may be new ones, and are accepted. */
bool strict_check(const struct source *source, const struct cst *cst, struct arena *arena,
                  struct diag_list *diags);

#endif
