/* The public result, made from a finished run of the engine. */
#ifndef PTXOPT_RESULT_H
#define PTXOPT_RESULT_H

#include "call.h"
#include "engine/engine.h"
#include "ptxopt.h"

struct ptxopt_result {
    struct failure failure; /* all below is empty, but the text and the stats, if there is one */
    struct engine_run run;  /* owns what everything below points into */
    struct VEC(struct ptxopt_diagnostic) diagnostics;
    struct VEC(struct ptxopt_edit) edits;
    struct VEC(struct ptxopt_kept) kept;
    struct VEC(struct ptxopt_decline) declines;
    struct VEC(struct ptxopt_advice) advice;
    struct VEC(struct ptxopt_skipped) skipped;
    struct ptxopt_stats stats;
};

/* Fills every list from result->run. */
void result_build(struct ptxopt_result *result);

#endif
