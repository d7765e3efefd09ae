/* Options that give up after --timeout. */
#ifndef PTXOPT_CLI_TIMED_H
#define PTXOPT_CLI_TIMED_H

#include <stdint.h>

#include "api/ptxopt.h"

/* Must not be moved from begin to end. */
struct timed {
    struct ptxopt_options *options; /* for the calls */
    uint64_t until_ms;              /* by the monotonic clock */
};

/* The time begins now; timeout_ms 0: there is no end to it. */
void timed_begin(struct timed *timed, const struct ptxopt_options *options, uint64_t timeout_ms);
void timed_end(struct timed *timed);

#endif
