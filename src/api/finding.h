/* A finished run of the engine as what there is to say of it: one list, in order of place. */
#ifndef PTXOPT_API_FINDING_H
#define PTXOPT_API_FINDING_H

#include "api/ptxopt.h"
#include "engine/engine.h"

struct finding_list VEC(struct ptxopt_finding);
struct insertion_list VEC(struct ptxopt_insertion);

/* Appends all findings of the run that the options request and sorts them; what they point into is
 * in the run's arena. Counts instructions, candidates and removals in stats. */
void finding_list_build(struct finding_list *findings, struct engine_run *run,
                        const struct ptxopt_options *options, struct ptxopt_stats *stats);

#endif
