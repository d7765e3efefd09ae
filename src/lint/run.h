/* Runs the codes over one function. */
#ifndef PTXOPT_LINT_RUN_H
#define PTXOPT_LINT_RUN_H

#include "lint/lint.h"

/* Builds the data that the codes share: the fields of lint after arena, except pairs_of_9_4. The
 * caller must call lint_end, which frees everything except lint->hazards. */
void lint_begin(struct lint *lint);
void lint_end(struct lint *lint);

/* Fills lint->hazards, sorted by instruction. Of several hazards with the same code at one
 * instruction, only the one with the gravest level is kept. To be called between lint_begin and
 * lint_end. */
void lint_run(struct lint *lint);

#endif
