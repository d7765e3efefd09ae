/* What is said when something is wrong? RFC 9457: a type for programs, a sentence for people, and
 * for PTX that does not parse the place of each error. */
#include "server/problem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "server/json_out.h"

static const char *title_of(int status)
{
    switch (status) {
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 411: return "Length Required";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 503: return "Service Unavailable";
    default: return "Internal Server Error";
    }
}

static void write_place(struct buf *out, const struct ptxopt_diagnostic *error)
{
    buf_printf(out, "\"line\":%" PRIu32 ",\"column\":%" PRIu32 ",\"code\":", error->line,
               error->column);
    json_out_text(out, error->code);
}

void problem_write(struct buf *out, const char *request_id, int status, const char *code,
                   const char *detail, const struct ptxopt_diagnostic *errors, size_t count)
{
    buf_printf(out, "{\"type\":\"urn:ptxopt:problem:%s\",\"title\":\"%s\",\"status\":%d,", code,
               title_of(status), status);
    buf_puts(out, "\"detail\":");
    json_out_text(out, detail);
    buf_puts(out, ",\"request_id\":");
    json_out_text(out, request_id);
    if (count) {
        buf_putc(out, ',');
        write_place(out, &errors[0]);
        buf_puts(out, ",\"errors\":[");
        for (size_t i = 0; i < count; i++) {
            buf_puts(out, i ? ",{" : "{");
            write_place(out, &errors[i]);
            buf_puts(out, ",\"message\":");
            json_out_text(out, errors[i].message);
            buf_putc(out, '}');
        }
        buf_putc(out, ']');
    }
    buf_putc(out, '}');
}

/* What described a body that is not sent after all. */
static void drop_type(struct reply *reply)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < reply->headers.count; i++) {
        const char *name = reply->headers.at[i].name;
        if (strcmp(name, "Content-Type") && strcmp(name, "Content-Location") &&
            strncmp(name, "Ptxopt-", 7))
            reply->headers.at[left++] = reply->headers.at[i];
    }
    reply->headers.count = left;
}

static void fill(struct reply *reply, const struct request *request, int status, const char *code,
                 const char *detail, const struct ptxopt_diagnostic *errors, size_t count)
{
    buf_free(&reply->body);
    reply->fixed = (struct str){NULL, 0};
    reply->status = status;
    reply->keep = false;
    drop_type(reply);
    reply_header(reply, "Content-Type", "application/problem+json");
    problem_write(&reply->body, request->id, status, code, detail, errors, count);
    buf_putc(&reply->body, '\n');
}

void problem_set(struct reply *reply, const struct request *request, int status, const char *code,
                 const char *format, ...)
{
    va_list args;
    char detail[512];
    va_start(args, format);
    vsnprintf(detail, sizeof detail, format, args);
    va_end(args);
    fill(reply, request, status, code, detail, NULL, 0);
}

void problem_from_result(struct reply *reply, const struct request *request,
                         const struct ptxopt_result *result)
{
    size_t count, errors = 0;
    const struct ptxopt_diagnostic *all = ptxopt_result_diagnostics(result, &count);
    while (errors < count && all[errors].level == PTXOPT_ERROR) errors++;
    fill(reply, request, 422, "ptx", errors ? all[0].message : "the text is not PTX", all, errors);
}

void problem_retry(struct reply *reply, const struct request *request, int status,
                   const char *code, const char *detail)
{
    reply_header(reply, "Retry-After", "1");
    fill(reply, request, status, code, detail, NULL, 0);
}
