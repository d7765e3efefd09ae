/* Errors as RFC 9457 problem details. */
#ifndef SERVER_HANDLE_PROBLEM_H
#define SERVER_HANDLE_PROBLEM_H

#include "base/work.h"
#include "api/ptxopt.h"
#include "server/base/message.h"

/* Makes reply an error: status, the stable word code, and a sentence. Anything that reply held of
 * a body is dropped; headers are kept. */
void problem_set(struct reply *reply, const struct request *request, int status, const char *code,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Why work did not complete: 413, 500 or 503. */
void problem_from_end(struct reply *reply, const struct request *request, enum work_end end);

/* 422 with the place of the first error and a list of all of them. Within the work of
 * run_here, which ends when the call of the library does not complete. */
void problem_from_result(struct reply *reply, const struct request *request,
                         const struct ptxopt_result *result);

/* Ends that work when the verification does not complete. */
void problem_leave(const struct ptxopt_verification *verification);

/* 429 or 503, with Retry-After. */
void problem_retry(struct reply *reply, const struct request *request, int status, const char *code,
                   const char *detail);

#endif
