/* The options of a caller. */
#ifndef PTXOPT_API_OPTIONS_H
#define PTXOPT_API_OPTIONS_H

#include "base/work.h"
#include "check/check.h"
#include "engine/engine.h"
#include "api/ptxopt.h"

struct ptxopt_options {
    struct engine_options engine;
    enum lint_level least;    /* the lowest level that is reported */
    struct edit_ids accepted; /* ids of hazards and removals */
    bool lacks_ids; /* an id could not be stored for lack of memory, so the options must not be used
                     */
    bool has_max_memory;
    struct work_limits limits; /* max_bytes counts only if has_max_memory */
};

/* True if the caller accepts the finding with that id. */
bool options_accept(const struct ptxopt_options *options, uint64_t id);

/* See ptxopt_result_settings. In the arena of the run. */
const char *options_settings(const struct ptxopt_options *options, struct engine_run *run);

struct check_options options_for_checker(const struct ptxopt_options *options);

#endif
