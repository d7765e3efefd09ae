/* Inserts the synchronisation that findings of lint require. */
#ifndef PTXOPT_API_MEND_H
#define PTXOPT_API_MEND_H

#include "api/finding.h"
#include "text/insert.h"

/* Tries the cures of the hazards among findings, which must be those of the run, in its input. Sets
 * their insertions or not_fixed, and makes the text with all insertions the output of the run.
 * inserts gets all insertions in the order of their places. What they point to is in the arena of
 * the run. */
void mend_run(struct engine_run *run, struct finding_list *findings,
              const struct ptxopt_options *options, struct insertion_list *inserts);

#endif
