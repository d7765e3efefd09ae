/* POST /v1/verify: the independent checker's verdict, function by function, on whether "after" is
 * the text "before" less redundant synchronisation. */
#include "server/handle/handlers.h"
#include "server/handle/input.h"
#include "server/handle/json_out.h"
#include "server/handle/problem.h"

static const char *verdict_word(enum ptxopt_verdict verdict)
{
    switch (verdict) {
    case PTXOPT_PROVEN: return "proven";
    case PTXOPT_REFUSED: return "refused";
    case PTXOPT_CANNOT_TELL: break;
    }
    return "cannot-tell";
}

static json_t *function_object(const struct ptxopt_checked *function)
{
    json_t *path = json_need(json_array());
    for (uint32_t i = 0; i < function->path_count; i++)
        json_array_append_new(path, json_need(json_integer(function->path[i])));
    return json_need(
        json_pack("{s:o,s:s,s:I,s:o,s:o}", "function", json_out_text(function->function), "verdict",
                  verdict_word(function->verdict), "deletions", (json_int_t)function->deletions,
                  "message", json_out_text(function->message), "path", path));
}

static json_t *warnings_array(const struct ptxopt_verification *verification)
{
    size_t count;
    const struct ptxopt_finding *warning = ptxopt_verification_findings(verification, &count);
    json_t *warnings = json_need(json_array());
    for (size_t i = 0; i < count; i++)
        json_array_append_new(warnings, json_out_diagnostic(&warning[i]));
    return warnings;
}

static json_t *verification_object(const struct ptxopt_verification *verification)
{
    size_t count, len;
    const struct ptxopt_checked *function = ptxopt_verification_functions(verification, &count);
    const char *certificate = ptxopt_verification_certificate(verification, &len);
    json_t *functions = json_need(json_array());
    for (size_t i = 0; i < count; i++, function++)
        json_array_append_new(functions, function_object(function));
    json_t *value = json_need(json_pack(
        "{s:s,s:o,s:o,s:o}", "verdict", verdict_word(ptxopt_verification_verdict(verification)),
        "message", json_out_text(ptxopt_verification_message(verification)), "functions", functions,
        "warnings", warnings_array(verification)));
    if (len) json_put(value, "certificate", json_bytes((struct str){certificate, len}));
    return value;
}

void handle_verify(struct service *service, const struct request *request, struct reply *reply)
{
    struct input input = {0};
    if (input_read_pair(service->settings, request, &input, reply)) {
        struct ptxopt_verification *verification = ptxopt_verify(
            input.options, input.source.p, input.source.n, input.after.p, input.after.n);
        problem_leave(verification);
        json_out_reply(reply, verification_object(verification));
        reply->keep = true;
        ptxopt_verification_free(verification);
    }
    input_free(&input);
}
