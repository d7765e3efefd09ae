/* Runs the codes over one function. */
#ifndef PTXOPT_LINT_RUN_H
#define PTXOPT_LINT_RUN_H

#include "lint/lint.h"

/* Builds what the codes go by: the fields after arena but pairs_of_9_4. End with lint_end, which
 * keeps the hazards. */
void lint_begin(struct lint *lint);
void lint_end(struct lint *lint);

/* Fills lint->hazards, in the order of place; of several at one instruction with one code only the
 * gravest. Between lint_begin and lint_end. */
void lint_run(struct lint *lint);

#endif
