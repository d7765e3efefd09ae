/* Runs the public calls, and reports a call that did not complete. */
#ifndef PTXOPT_API_CALL_H
#define PTXOPT_API_CALL_H

#include "api/ptxopt.h"
#include "base/str.h"
#include "base/work.h"

/* Why a call did not complete. */
struct failure {
    enum ptxopt_status status; /* PTXOPT_OK: it did complete */
    struct ptxopt_finding finding;
    char text[256]; /* storage for a message that is composed */
};

/* A finding about the whole text, at its first line. A constant, so that it needs no memory. */
#define FAILURE_FINDING                                                                            \
    .kind = PTXOPT_DIAGNOSTIC, .level = PTXOPT_ERROR, .id = "", .reason = "", .function = "",      \
    .text = "", .isa_section = "", .assumptions = "", .sentence = "", .risk = "", .fix = "",       \
    .brief = "", .justification = "", .not_fixed = "", .line = 1, .column = 1, .end_line = 1,      \
    .end_column = 1
#define FAILURE_NO_MEMORY                                                                          \
    {                                                                                              \
        .status = PTXOPT_NO_MEMORY, .finding = {                                                   \
            FAILURE_FINDING,                                                                       \
            .code = "no-memory",                                                                   \
            .message = "the system has no memory left; nothing was changed; free some, or try "    \
                       "again later"                                                               \
        }                                                                                          \
    }

/* Calls work_run with the limits of the options. len: the length of the texts in bytes. */
struct work_outcome call_run(const struct ptxopt_options *options, size_t len,
                             void (*run)(void *context), void *context);

/* Fills *failure, which must not be moved afterwards because it points into itself. text: that of
 * the call. */
void call_fail(struct failure *failure, const struct work_outcome *outcome, struct str text);

#endif
