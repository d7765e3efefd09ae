/* Adds comments in the text for ptxopt (text/directive.h) to the list of
 * findings. */
#ifndef PTXOPT_API_COMMENTS_H
#define PTXOPT_API_COMMENTS_H

#include "api/finding_parts.h"

/* The first comment that accepts what the code says of an instruction there, which is then used;
 * NULL for none. */
const struct directive *comments_accept(const struct writer *w, struct span span, const char *code);

/* When all is added: what comments say that is not known, and those that do nothing. */
void comments_add(const struct writer *w);

#endif
