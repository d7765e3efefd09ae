/* The result of ptxopt_run: a finished run of the engine, and its findings. */
#ifndef PTXOPT_API_RESULT_H
#define PTXOPT_API_RESULT_H

#include "api/call.h"
#include "api/finding.h"

struct ptxopt_result {
    struct failure failure; /* if there is one, all below is empty except text and stats */
    struct engine_run run;  /* owns what the findings point to */
    struct finding_list findings;
    struct VEC(struct ptxopt_operation) operations;
    struct insertion_list insertions;
    struct ptxopt_stats stats;
    const char *settings; /* see ptxopt_result_settings; in the arena of run */
};

/* Implements ptxopt_run. */
struct ptxopt_result *result_run(const struct ptxopt_options *options, const char *name,
                                 struct str text);

#endif
