/* How does a result become JSON? As ptxopt.h has it, name by name. */
#include "server/json_out.h"

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

/* What edits and kept candidates have in common. */
static json_t *site(const char *id, const char *rule, const char *function, const char *text)
{
    return json_need(json_pack("{s:s,s:s,s:o,s:o}", "id", id, "rule", rule, "function",
                               json_out_text(function), "text", json_out_text(text)));
}

static void put_place(json_t *object, uint32_t line, uint32_t column)
{
    json_put(object, "line", json_integer(line));
    json_put(object, "column", json_integer(column));
}

static void put_span(json_t *object, uint32_t start, uint32_t end)
{
    json_put(object, "start", json_integer(start));
    json_put(object, "end", json_integer(end));
}

/* Where in the CUDA source; left out when the text does not say. */
static void put_origin(json_t *object, const char *file, uint32_t line)
{
    if (!line) return;
    json_put(object, "source_file", json_out_text(file));
    json_put(object, "source_line", json_integer(line));
}

static json_t *edits(const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_edit *edit = ptxopt_result_edits(result, &count);
    json_t *list = json_need(json_array());
    for (size_t i = 0; i < count; i++, edit++) {
        json_t *value = site(edit->id, edit->rule, edit->function, edit->text);
        put_place(value, edit->line, edit->column);
        put_span(value, edit->start, edit->end);
        put_origin(value, edit->source_file, edit->source_line);
        json_put_text(value, "isa_section", edit->isa_section);
        json_put(value, "assumptions", json_names(edit->assumptions));
        json_put(value, "why", json_out_text(edit->why));
        json_put(value, "witness_line", json_integer(edit->witness_line));
        json_array_append_new(list, value);
    }
    return list;
}

static json_t *kept(const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_kept *one = ptxopt_result_kept(result, &count);
    json_t *list = json_need(json_array());
    for (size_t i = 0; i < count; i++, one++) {
        json_t *value = site(one->id, one->rule, one->function, one->text);
        put_place(value, one->line, one->column);
        put_span(value, one->start, one->end);
        put_origin(value, one->source_file, one->source_line);
        json_put_text(value, "reason", one->reason);
        json_put(value, "why", json_out_text(one->why));
        json_put(value, "witness_line", json_integer(one->witness_line));
        json_array_append_new(list, value);
    }
    return list;
}

static json_t *advice(const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_advice *one = ptxopt_result_advice(result, &count);
    json_t *list = json_need(json_array());
    for (size_t i = 0; i < count; i++, one++) {
        json_t *value = json_need(
            json_pack("{s:s,s:o}", "rule", one->rule, "function", json_out_text(one->function)));
        put_place(value, one->line, one->column);
        json_put(value, "why", json_out_text(one->why));
        json_array_append_new(list, value);
    }
    return list;
}

static json_t *skipped(const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_skipped *one = ptxopt_result_skipped(result, &count);
    json_t *list = json_need(json_array());
    for (size_t i = 0; i < count; i++, one++) {
        json_t *value = json_need(json_pack("{s:o}", "function", json_out_text(one->function)));
        put_place(value, one->line, one->column);
        json_put_text(value, "reason", one->reason);
        json_put(value, "why", json_out_text(one->why));
        json_array_append_new(list, value);
    }
    return list;
}

/* No times: the same request has the same answer, byte for byte. */
static json_t *stats(const struct ptxopt_result *result)
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
    json_put(value, "edits", edits(result));
    json_put(value, "kept", kept(result));
    json_put(value, "advice", advice(result));
    json_put(value, "skipped", skipped(result));
    json_put(value, "stats", stats(result));
    return value;
}
