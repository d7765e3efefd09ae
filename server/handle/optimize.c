/* POST /v1/optimize: PTX in, the optimized PTX out, raw or with every edit as JSON. */
#include <inttypes.h>
#include <string.h>

#include "server/handle/handlers.h"
#include "server/handle/input.h"
#include "server/handle/json_out.h"
#include "server/handle/problem.h"

static void answer_raw(struct reply *reply, const struct request *request,
                       const struct ptxopt_result *result)
{
    size_t len;
    const char *text = ptxopt_result_text(result, &len);
    const struct ptxopt_stats *stats = ptxopt_result_stats(result);
    reply_header(reply, "Content-Type", "%s; charset=utf-8", request->wants);
    reply_header(reply, "Ptxopt-Changed", "%s", ptxopt_result_changed(result) ? "true" : "false");
    reply_header(reply, "Ptxopt-Deleted", "%" PRIu32, stats->deleted);
    reply_header(reply, "Ptxopt-Kept", "%zu", ptxopt_result_count(result, PTXOPT_KEPT));
    reply_header(reply, "Ptxopt-Skipped", "%zu", ptxopt_result_count(result, PTXOPT_SKIPPED));
    reply_header(reply, "Ptxopt-Warnings", "%zu", ptxopt_result_count(result, PTXOPT_DIAGNOSTIC));
    reply_header(reply, "Ptxopt-Candidates", "%" PRIu32, stats->candidates);
    reply_header(reply, "Ptxopt-Functions", "%" PRIu32, stats->functions);
    reply_header(reply, "Ptxopt-Instructions", "%" PRIu32, stats->instructions);
    buf_add(&reply->body, text, len);
}

/* JSON cannot hold bytes that are not UTF-8, and the text must come back as it was sent. */
static bool answer_json(struct reply *reply, const struct ptxopt_result *result)
{
    size_t len;
    const char *text = ptxopt_result_text(result, &len);
    json_t *ptx = json_stringn(len ? text : "", len);
    if (!ptx) return false;
    json_t *value = json_need(
        json_pack("{s:b,s:o}", "changed", (int)ptxopt_result_changed(result), "ptx", ptx));
    json_object_update_new(value, json_out_result(result));
    json_out_reply(reply, value);
    return true;
}

void handle_optimize(struct service *service, const struct request *request, struct reply *reply)
{
    struct input input = {0};
    if (input_read(service->settings, request, &input, reply)) {
        struct ptxopt_result *result =
            ptxopt_run(input.options, input.name, input.source.p, input.source.n);
        reply->status = 200;
        reply->keep = true;
        if (ptxopt_result_status(result) != PTXOPT_OK)
            problem_from_result(reply, request, result);
        else if (strcmp(request->wants, "application/json"))
            answer_raw(reply, request, result);
        else if (!answer_json(reply, result))
            problem_set(reply, request, 406, "not-utf-8",
                        "the text is not UTF-8 and JSON cannot hold it; accept text/x-ptx");
        ptxopt_result_free(result);
    }
    input_free(&input);
}
