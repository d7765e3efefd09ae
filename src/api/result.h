/* What ptxopt_run gives: a finished run of the engine and its findings. */
#ifndef PTXOPT_API_RESULT_H
#define PTXOPT_API_RESULT_H

#include "api/call.h"
#include "api/finding.h"

struct ptxopt_result {
    struct failure failure; /* all below is empty, but the text and the stats, if there is one */
    struct engine_run run;  /* owns what the findings point into */
    struct finding_list findings;
    struct VEC(struct ptxopt_operation) operations;
    struct insertion_list insertions;
    struct ptxopt_stats stats;
    const char *settings; /* see ptxopt_result_settings; in the run's arena */
};

/* As ptxopt_run. */
struct ptxopt_result *result_run(const struct ptxopt_options *options, const char *name,
                                 struct str text);

#endif
