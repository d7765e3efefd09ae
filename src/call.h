/* How the public functions call what is behind them, and how they say that it came to no end. */
#ifndef PTXOPT_CALL_H
#define PTXOPT_CALL_H

#include "base/work.h"
#include "ptxopt.h"

/* A call that did not come to its end. */
struct failure {
    enum ptxopt_status status; /* PTXOPT_OK: it did */
    struct ptxopt_diagnostic diagnostic;
    char text[256]; /* where the diagnostic's message is made up */
};

/* A constant, so that it takes no memory to say so. */
#define FAILURE_NO_MEMORY                                                                          \
    {                                                                                              \
        PTXOPT_NO_MEMORY,                                                                          \
            {PTXOPT_ERROR, 1, 1, "no-memory",                                                      \
             "the system has no memory left; nothing is changed; free some, or try again later"},  \
            ""                                                                                     \
    }

/* work_run with the limits of the options, for texts of len bytes. */
struct work_outcome call_run(const struct ptxopt_options *options, size_t len,
                             void (*run)(void *context), void *context);

/* Fills *failure, which must stay where it is. */
void call_fail(struct failure *failure, const struct work_outcome *outcome);

#endif
