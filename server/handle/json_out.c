/* Makes JSON of a result, with the names of ptxopt.h. */
#include "server/handle/json_out.h"

#include <string.h>

json_t *json_out_text(const char *text)
{
    return json_bytes(str_from(text));
}

void json_out_reply(struct reply *reply, json_t *value)
{
    reply->status = 200;
    reply_header(reply, "Content-Type", "application/json");
    json_add(&reply->body, value, false);
}

/* Where in the CUDA source, the innermost line and the stack of calls, outermost first; left out
 * when the text does not say. */
static void put_origin(json_t *object, const struct ptxopt_finding *finding)
{
    if (!finding->origin_count) return;
    json_t *stack = json_need(json_array());
    for (uint32_t i = finding->origin_count; i--;)
        json_array_append_new(
            stack, json_need(json_pack("{s:o,s:I}", "file", json_out_text(finding->origins[i].file),
                                       "line", (json_int_t)finding->origins[i].line)));
    json_put(object, "source_file", json_out_text(finding->origins[0].file));
    json_put(object, "source_line", json_integer(finding->origins[0].line));
    json_put(object, "source_stack", stack);
}

json_t *json_out_diagnostic(const struct ptxopt_finding *finding)
{
    return json_need(json_pack("{s:I,s:I,s:s,s:o}", "line", (json_int_t)finding->line, "column",
                               (json_int_t)finding->column, "code", finding->code, "message",
                               json_out_text(finding->message)));
}

/* Each kind has the keys that apply to it. */
static json_t *finding_object(const struct ptxopt_finding *finding)
{
    json_t *value = json_need(json_object());
    bool skipped = finding->kind == PTXOPT_SKIPPED, deleted = finding->kind == PTXOPT_DELETED;
    bool candidate = deleted || finding->kind == PTXOPT_KEPT;
    if (candidate) json_put_text(value, "id", finding->id);
    if (!skipped) json_put_text(value, "rule", finding->code);
    json_put(value, "function", json_out_text(finding->function));
    if (candidate) json_put(value, "text", json_out_text(finding->text));
    json_put(value, "line", json_integer(finding->line));
    json_put(value, "column", json_integer(finding->column));
    if (candidate) json_put(value, "start", json_integer(finding->start));
    if (candidate) json_put(value, "end", json_integer(finding->end));
    put_origin(value, finding);
    if (deleted) json_put_text(value, "isa_section", finding->isa_section);
    if (deleted) json_put(value, "assumptions", json_names(finding->assumptions));
    if (!deleted) json_put_any(value, "reason", skipped ? finding->code : finding->reason);
    json_put(value, "why", json_out_text(finding->message));
    if (candidate) json_put(value, "witness_line", json_integer(finding->witness_line));
    return value;
}

/* Of a kind, each made by object. */
static json_t *findings_array(const struct ptxopt_result *result, enum ptxopt_kind kind,
                              json_t *(*object)(const struct ptxopt_finding *))
{
    json_t *list = json_need(json_array());
    const struct ptxopt_finding *finding = NULL;
    while ((finding = ptxopt_result_next(result, kind, finding)))
        json_array_append_new(list, object(finding));
    return list;
}

/* No times: the same request has the same answer, byte for byte. */
static json_t *stats_object(const struct ptxopt_result *result)
{
    const struct ptxopt_stats *stats = ptxopt_result_stats(result);
    return json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "input_bytes", (json_int_t)stats->input_bytes,
                     "output_bytes", (json_int_t)stats->output_bytes, "functions",
                     (json_int_t)stats->functions, "instructions", (json_int_t)stats->instructions,
                     "tcgen05", (json_int_t)stats->tcgen05, "candidates",
                     (json_int_t)stats->candidates, "deleted", (json_int_t)stats->deleted);
}

json_t *json_out_result(const struct ptxopt_result *result)
{
    json_t *value = json_need(json_object());
    json_put(value, "edits", findings_array(result, PTXOPT_DELETED, finding_object));
    json_put(value, "kept", findings_array(result, PTXOPT_KEPT, finding_object));
    json_put(value, "advice", findings_array(result, PTXOPT_ADVICE, finding_object));
    json_put(value, "skipped", findings_array(result, PTXOPT_SKIPPED, finding_object));
    json_put(value, "warnings", findings_array(result, PTXOPT_DIAGNOSTIC, json_out_diagnostic));
    json_put(value, "stats", stats_object(result));
    return value;
}
