/* Applies comments for ptxopt in the text (text/directive.h), and reports those without effect. */
#ifndef PTXOPT_API_COMMENTS_H
#define PTXOPT_API_COMMENTS_H

#include "api/finding_parts.h"

/* The first comment that accepts a finding with that code about an instruction at span; it is then
 * marked as used. NULL: none. */
const struct directive *comments_accept(const struct writer *w, struct span span, const char *code);

/* Call it after all findings have been added. Adds findings about unknown names in comments and
 * about comments without effect. */
void comments_add(const struct writer *w);

#endif
