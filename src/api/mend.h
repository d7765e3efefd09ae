/* Inserts the synchronisation that findings of lint require. */
#ifndef PTXOPT_API_MEND_H
#define PTXOPT_API_MEND_H

#include "api/finding.h"
#include "text/insert.h"

/* Tries the cures of the hazards among the findings, which are those of the run, in the text that
 * was read. Fills their insertions and not_fixed, and makes the text with all of the insertions the
 * run's output. The insertions are in the run's arena. inserts: all of them, in order of place. */
void mend_run(struct engine_run *run, struct finding_list *findings,
              const struct ptxopt_options *options, struct insertion_list *inserts);

#endif
