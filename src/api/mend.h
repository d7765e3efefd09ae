/* Inserts the synchronisation that findings of lint require. */
#ifndef PTXOPT_API_MEND_H
#define PTXOPT_API_MEND_H

#include "api/finding.h"
#include "text/insert.h"

/* Tries the cures of the hazards in findings, which must be the findings of the run, on its input.
 * Sets insertions or not_fixed of each, and makes the text with all insertions the output of the
 * run. Appends all insertions to inserts, in the order of their places; the data to which they
 * point is in the arena of the run. */
void mend_run(struct engine_run *run, struct finding_list *findings,
              const struct ptxopt_options *options, struct insertion_list *inserts);

#endif
