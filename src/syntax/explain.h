/* Explains why a text is refused. */
#ifndef PTXOPT_SYNTAX_EXPLAIN_H
#define PTXOPT_SYNTAX_EXPLAIN_H

#include "syntax/accept.h"
#include "text/diag.h"

/* Adds at least one diagnostic about source. text is source without comments; accept_text has
 * refused it at offset at, with the result why. */
void explain_refusal(const struct source *source, struct str text, enum acceptance why, uint32_t at,
                     struct arena *arena, struct diag_list *diags);

#endif
