/* Reads the directives of a body. */
#ifndef PTXOPT_CHECK_MODEL_DIRECTIVE_H
#define PTXOPT_CHECK_MODEL_DIRECTIVE_H

#include "check/model/program.h"

/* Reads .reg and .branchtargets; other directives have no effect. label: the label before the
 * directive, which names a .branchtargets list. */
void directive_read(struct program *program, const struct statement *statement, struct span label);

#endif
