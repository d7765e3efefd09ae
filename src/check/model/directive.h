/* Reads the directives of a body. */
#ifndef PTXOPT_CHECK_MODEL_DIRECTIVE_H
#define PTXOPT_CHECK_MODEL_DIRECTIVE_H

#include "check/model/program.h"

/* .reg and .branchtargets, the latter under the label in front. */
void directive_read(struct program *program, const struct statement *statement, struct span label);

#endif
