/* Turns a finished run of the engine into one list of findings, in the order of their places. */
#ifndef PTXOPT_API_FINDING_H
#define PTXOPT_API_FINDING_H

#include "api/ptxopt.h"
#include "engine/engine.h"

struct finding_list VEC(struct ptxopt_finding);
struct insertion_list VEC(struct ptxopt_insertion);

/* Appends all findings of the run that the options request, and sorts them. What they point to is
 * in the arena of the run. Adds the counts of instructions, candidates and removals to *stats. */
void finding_list_build(struct finding_list *findings, struct engine_run *run,
                        const struct ptxopt_options *options, struct ptxopt_stats *stats);

#endif
