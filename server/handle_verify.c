/* POST /v1/verify: is "after" the text "before" less redundant synchronisation? The independent
 * checker's verdict, function by function. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "server/input.h"
#include "server/json_out.h"
#include "server/problem.h"
#include "server/routes.h"
#include "text/source.h"

static const char *verdict_word(enum check_verdict verdict)
{
    switch (verdict) {
    case CHECK_PROVEN: return "proven";
    case CHECK_REFUSED: return "refused";
    case CHECK_CANNOT_TELL: break;
    }
    return "cannot-tell";
}

static void write_function(struct buf *out, const struct check_function *function)
{
    buf_putc(out, '{');
    json_out_name(out, "function");
    json_out_string(out, function->name.p, function->name.n);
    json_out_member(out, "verdict", verdict_word(function->verdict));
    json_out_number(out, "deletions", function->deletions);
    json_out_member(out, "message", function->message);
    json_out_name(out, "path");
    buf_putc(out, '[');
    for (uint32_t i = 0; i < function->path_count; i++)
        buf_printf(out, "%s%" PRIu32, i ? "," : "", function->path[i]);
    buf_puts(out, "]}");
}

static void write_result(struct buf *out, const struct check_result *result)
{
    buf_putc(out, '{');
    json_out_member(out, "verdict", verdict_word(result->verdict));
    json_out_member(out, "message", result->message ? result->message : "");
    json_out_name(out, "functions");
    buf_putc(out, '[');
    for (uint32_t i = 0; i < result->function_count; i++) {
        if (i) buf_putc(out, ',');
        write_function(out, &result->functions[i]);
    }
    buf_putc(out, ']');
    if (result->certificate.n) {
        json_out_name(out, "certificate");
        json_out_string(out, result->certificate.p, result->certificate.n);
    }
    buf_puts(out, "}\n");
}

static bool read_names(const json_t *list, uint32_t *bits)
{
    if (list && !json_is_array(list)) return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        uint32_t bit = name ? check_assume_bit(str_from(name)) : 0;
        if (!bit) return false;
        *bits |= bit;
    }
    return true;
}

static bool read_isa(const json_t *value, struct check_options *options)
{
    if (!value) return true;
    const char *text = json_string_value(value);
    if (!text || *text < '0' || *text > '9') return false;
    char *end;
    unsigned long major = strtoul(text, &end, 10);
    if (*end != '.' || end[1] < '0' || end[1] > '9') return false;
    unsigned long minor = strtoul(end + 1, &end, 10);
    if (*end || major > 1000 || minor > 1000) return false;
    options->isa_major = (uint32_t)major;
    options->isa_minor = (uint32_t)minor;
    return true;
}

/* What is wrong with the options, or NULL. */
static const char *read_options(const json_t *json, struct check_options *options)
{
    const char *name;
    json_t *value;
    if (!json) return NULL;
    if (!json_is_object(json)) return "\"options\" must be an object";
    json_object_foreach((json_t *)(uintptr_t)json, name, value) {
        if (strcmp(name, "assume") && strcmp(name, "no_assume") && strcmp(name, "isa") &&
            strcmp(name, "certificate"))
            return "the options are assume, no_assume, isa and certificate";
    }
    if (!read_names(json_object_get(json, "assume"), &options->assume) ||
        !read_names(json_object_get(json, "no_assume"), &options->deny))
        return "assume and no_assume are lists of names, see /v1/assumptions";
    if (!read_isa(json_object_get(json, "isa"), options)) return "isa is MAJOR.MINOR";
    options->certificate = json_is_true(json_object_get(json, "certificate"));
    return NULL;
}

static struct str text_of(const json_t *json, const char *name)
{
    const json_t *value = json_object_get(json, name);
    return (struct str){json_string_value(value), json_string_length(value)};
}

static const char *verify(const json_t *json, struct arena *arena, struct reply *reply)
{
    struct check_options options = {0};
    struct check_result result = {0};
    struct str before = text_of(json, "before"), after = text_of(json, "after");
    if (!json_is_object(json) || !before.p || !after.p)
        return "\"before\" and \"after\" must be the two texts";
    const char *problem = read_options(json_object_get(json, "options"), &options);
    if (problem) return problem;
    check_run(&options, before, after, arena, &result);
    reply->status = 200;
    reply->keep = true;
    reply_header(reply, "Content-Type", "application/json");
    write_result(&reply->body, &result);
    return NULL;
}

void handle_verify(struct service *service, const struct request *request, struct reply *reply)
{
    struct arena arena = {0};
    const char *problem = NULL;
    struct str body = {request->body.len ? request->body.data : "", request->body.len};
    json_t *json = input_parse(service->settings, body, &arena, &problem);
    if (json) problem = verify(json, &arena, reply);
    if (problem) problem_set(reply, request, 400, "bad-request", "%s", problem);
    json_decref(json);
    arena_free(&arena);
}
