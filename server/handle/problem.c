/* Makes the answer for an error. RFC 9457: a type for programs, a sentence for people, and
 * for PTX that does not parse the place of each error. */
#include "server/handle/problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "server/base/log.h"
#include "server/handle/json_out.h"

static const char *title_of(int status)
{
    switch (status) {
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 411: return "Length Required";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 417: return "Expectation Failed";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    default: return "Internal Server Error";
    }
}

static json_t *problem_object(const struct request *request, int status, const char *code,
                              const char *detail)
{
    return json_need(json_pack("{s:o,s:s,s:i,s:o,s:s}", "type",
                               json_sprintf("urn:ptxopt:problem:%s", code), "title",
                               title_of(status), "status", status, "detail", json_out_text(detail),
                               "request_id", request->id));
}

static void put_errors(json_t *object, const struct ptxopt_finding *errors, size_t count)
{
    json_t *list = json_need(json_array());
    json_put(object, "line", json_integer(errors[0].line));
    json_put(object, "column", json_integer(errors[0].column));
    json_put_text(object, "code", errors[0].code);
    for (size_t i = 0; i < count; i++) json_array_append_new(list, json_out_diagnostic(&errors[i]));
    json_put(object, "errors", list);
}

/* Drops the headers of a body that is not sent. */
static void drop_type(struct reply *reply)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < reply->headers.count; i++) {
        const char *name = reply->headers.at[i].name;
        if (strncmp(name, "Content-", 8) && strncmp(name, "Ptxopt-", 7))
            reply->headers.at[left++] = reply->headers.at[i];
    }
    reply->headers.count = left;
}

/* Takes over problem. */
static void fill_problem_reply(struct reply *reply, int status, json_t *problem)
{
    buf_free(&reply->body);
    reply->fixed = (struct str){NULL, 0};
    reply->status = status;
    reply->keep = false;
    drop_type(reply);
    reply_header(reply, "Content-Type", "application/problem+json");
    json_add(&reply->body, problem, false);
}

void problem_set(struct reply *reply, const struct request *request, int status, const char *code,
                 const char *format, ...)
{
    va_list args;
    char detail[512];
    va_start(args, format);
    vsnprintf(detail, sizeof detail, format, args);
    va_end(args);
    fill_problem_reply(reply, status, problem_object(request, status, code, detail));
}

void problem_from_end(struct reply *reply, const struct request *request, enum work_end end)
{
    switch (end) {
    case WORK_OVER_LIMIT:
        problem_set(reply, request, 413, "too-large",
                    "the work on this text needs more memory than --work-memory");
        break;
    case WORK_NO_MEMORY:
        problem_retry(reply, request, 503, "no-memory", "the system has no memory left");
        break;
    case WORK_CANCELLED:
        problem_retry(reply, request, 503, "timeout",
                      "the request took longer than --work-timeout");
        break;
    case WORK_DONE:
    case WORK_BUG:
        problem_set(reply, request, 500, "internal",
                    "internal error; the log of ptxoptd describes it");
    }
}

/* For a call of the library that has no answer, for a reason other than a text that is not PTX: the
 * whole work ends with the status of the call. */
static void leave_with_status(enum ptxopt_status status, const char *code, const char *message)
{
    switch (status) {
    case PTXOPT_NO_MEMORY: work_leave(WORK_NO_MEMORY);
    case PTXOPT_CANCELLED: work_leave(WORK_CANCELLED);
    case PTXOPT_INTERNAL:
        log_event("error", "bug", "%s", message);
        work_bug("a call of the library failed", __FILE__, __LINE__);
    case PTXOPT_BAD_INPUT:
        if (strcmp(code, "too-much-memory") == 0) work_leave(WORK_OVER_LIMIT);
        break;
    case PTXOPT_OK: break;
    }
}

void problem_leave(const struct ptxopt_verification *verification)
{
    /* Its only input that is bad is one that needs too much memory. */
    leave_with_status(ptxopt_verification_status(verification), "too-much-memory",
                      ptxopt_verification_message(verification));
}

void problem_from_result(struct reply *reply, const struct request *request,
                         const struct ptxopt_result *result)
{
    size_t count, errors = 0;
    const struct ptxopt_finding *all = ptxopt_result_findings(result, &count);
    if (count) leave_with_status(ptxopt_result_status(result), all[0].code, all[0].message);
    while (errors < count && all[errors].level == PTXOPT_ERROR) errors++;
    json_t *problem =
        problem_object(request, 422, "ptx", errors ? all[0].message : "the text is not PTX");
    if (errors) put_errors(problem, all, errors);
    fill_problem_reply(reply, 422, problem);
}

void problem_retry(struct reply *reply, const struct request *request, int status, const char *code,
                   const char *detail)
{
    reply_header(reply, "Retry-After", "1");
    fill_problem_reply(reply, status, problem_object(request, status, code, detail));
}
