/* Options that cancel a run after --timeout. */
#ifndef PTXOPT_CLI_TIMED_H
#define PTXOPT_CLI_TIMED_H

#include <stdint.h>

#include "api/ptxopt.h"

/* Must not be moved between timed_begin and timed_end, because options point to it. */
struct timed {
    struct ptxopt_options *options; /* to be used for the run */
    uint64_t until_ms;              /* by the monotonic clock */
};

/* Starts the time. timeout_ms in milliseconds; 0: no limit. */
void timed_begin(struct timed *timed, const struct ptxopt_options *options, uint64_t timeout_ms);
void timed_end(struct timed *timed);

#endif
