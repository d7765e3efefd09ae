/* Holds the options of a caller. */
#ifndef PTXOPT_API_OPTIONS_H
#define PTXOPT_API_OPTIONS_H

#include "base/work.h"
#include "check/check.h"
#include "engine/engine.h"
#include "api/ptxopt.h"

struct ptxopt_options {
    struct engine_options engine;
    enum lint_level least;    /* that is reported */
    struct edit_ids accepted; /* hazards and removals */
    bool lacks_ids;           /* one could not be kept: the others may not be used */
    bool has_max_memory;
    struct work_limits limits; /* max_bytes with has_max_memory only */
};

/* Whether the caller accepts what has that id. */
bool options_accept(const struct ptxopt_options *options, uint64_t id);

/* What the run was judged by, see ptxopt_result_settings; in its arena. */
const char *options_settings(const struct ptxopt_options *options, struct engine_run *run);

struct check_options options_for_checker(const struct ptxopt_options *options);

#endif
