/* POST /v1/report?format=… and /v1/lint: a report on one text, in any format of src/report, about
 * redundant or missing synchronisation. */
#include <string.h>

#include "base/bug.h"
#include "base/mem.h"
#include "report/format.h"
#include "report/model.h"
#include "server/handle/handlers.h"
#include "server/handle/input.h"
#include "server/handle/negotiate.h"
#include "server/handle/problem.h"

static void refuse_format(struct reply *reply, const struct request *request)
{
    struct buf list = {0};
    report_formats_name(&list, 0, ", ");
    char *names = buf_take(&list);
    problem_set(reply, request, 400, "bad-request", "format=… in the query is one of %s", names);
    mem_free(names);
}

static void reply_report(struct reply *reply, const struct input *input,
                         const struct report_format *format, const struct ptxopt_result *result)
{
    struct review_file file = {0};
    const struct review_file *files[] = {&file};
    struct review review = {.files = files, .count = 1};
    review_file_build(&file, input->name, input->name, result, NULL);
    report_prepare(&file, result, format->traits);
    format->write(&reply->body, &review);
    review_file_free(&file);
    reply->status = 200;
    reply->keep = true;
    reply_header(reply, "Content-Type", "%s%s", format->type,
                 strncmp(format->type, "text/", 5) == 0 ? "; charset=utf-8" : "");
    /* /v1/results sends it to a browser: it has a client's text, and is not a part of this site. */
    reply_header(reply, "Content-Security-Policy",
                 "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                 "sandbox allow-scripts");
}

static void answer_report(struct service *service, const struct request *request,
                          struct reply *reply, const char *name, bool lint)
{
    const struct report_format *format = name ? report_format_find(name) : NULL;
    struct input input = {0};
    if (!format) {
        refuse_format(reply, request);
        return;
    }
    if (!negotiate_weight(fields_find(&request->headers, "Accept"), format->type)) {
        problem_set(reply, request, 406, "not-acceptable", "this format is %s", format->type);
        return;
    }
    if (input_read(service->settings, request, &input, reply)) {
        ptxopt_options_set_steps(input.options, true);
        ptxopt_options_set_lint(input.options, lint);
        if (lint) BUG_UNLESS(ptxopt_options_set_rules(input.options, "none"));
        struct ptxopt_result *result =
            ptxopt_run(input.options, input.name, input.source.p, input.source.n);
        if (ptxopt_result_status(result) != PTXOPT_OK)
            problem_from_result(reply, request, result);
        else
            reply_report(reply, &input, format, result);
        ptxopt_result_free(result);
    }
    input_free(&input);
}

void handle_report(struct service *service, const struct request *request, struct reply *reply)
{
    answer_report(service, request, reply, fields_find(&request->query, "format"), false);
}

void handle_lint(struct service *service, const struct request *request, struct reply *reply)
{
    const char *name = fields_find(&request->query, "format");
    answer_report(service, request, reply, name ? name : "json", true);
}
