/* What was sent? A new option is a row of the table here and a line in openapi.json. */
#include "server/input.h"

#include <string.h>
#include <strings.h>

#include "server/problem.h"

/* One option: applies value, false when it is not known. */
struct option_row {
    const char *name;
    enum { FOR_ONE = 1, FOR_PAIR = 2, FOR_BOTH = 3 } use; /* optimize and report, or verify */
    bool is_list; /* applied to each name of a comma separated list */
    bool (*apply)(struct input *input, const char *value);
};

static bool set_rules(struct input *input, const char *value)
{
    return ptxopt_options_set_rules(input->options, value);
}

static bool set_optimizations(struct input *input, const char *value)
{
    return ptxopt_options_set_optimizations(input->options, value);
}

static bool set_assume(struct input *input, const char *value)
{
    return ptxopt_options_assume(input->options, value, true);
}

static bool set_no_assume(struct input *input, const char *value)
{
    return ptxopt_options_assume(input->options, value, false);
}

static bool set_isa(struct input *input, const char *value)
{
    return ptxopt_options_set_isa(input->options, value);
}

static bool set_only(struct input *input, const char *value)
{
    return ptxopt_options_only(input->options, value);
}

static bool set_skip(struct input *input, const char *value)
{
    return ptxopt_options_skip(input->options, value);
}

static bool set_style(struct input *input, const char *value)
{
    static const char *const styles[] = {
        [PTXOPT_BLANK] = "blank", [PTXOPT_ANNOTATE] = "annotate", [PTXOPT_SQUEEZE] = "squeeze"};
    for (int i = PTXOPT_BLANK; i <= PTXOPT_SQUEEZE; i++)
        if (strcmp(value, styles[i]) == 0) {
            ptxopt_options_set_style(input->options, (enum ptxopt_style)i);
            return true;
        }
    return false;
}

/* Reports open no file of that name; it is only printed. */
static bool set_name(struct input *input, const char *value)
{
    input->name = value;
    return *value && strlen(value) <= 255;
}

static bool set_certificate(struct input *input, const char *value)
{
    bool on = strcmp(value, "true") == 0;
    ptxopt_options_set_certificate(input->options, on);
    return on || strcmp(value, "false") == 0;
}

static const struct option_row options[] = {
    {"rules", FOR_ONE, false, set_rules},
    {"optimizations", FOR_ONE, false, set_optimizations},
    {"assume", FOR_BOTH, true, set_assume},
    {"no_assume", FOR_BOTH, true, set_no_assume},
    {"isa", FOR_BOTH, false, set_isa},
    {"style", FOR_ONE, false, set_style},
    {"only", FOR_ONE, true, set_only},
    {"skip", FOR_ONE, true, set_skip},
    {"name", FOR_ONE, false, set_name},
    {"certificate", FOR_PAIR, false, set_certificate},
};

static bool apply_list(struct input *input, const struct option_row *row, const char *list)
{
    while (*list) {
        size_t len = strcspn(list, ",");
        if (!row->apply(input, arena_copy(&input->arena, list, len))) return false;
        list += len;
        if (*list == ',') list++;
    }
    return true;
}

/* Applies what was chosen; the option that is wrong, or NULL. use: a bit of option_row. */
static const char *apply_all(struct input *input, unsigned use)
{
    for (uint32_t i = 0; i < input->chosen.count; i++) {
        const struct field *field = &input->chosen.at[i];
        const struct option_row *row = NULL;
        for (size_t k = 0; k < sizeof options / sizeof *options; k++)
            if ((options[k].use & use) && strcmp(options[k].name, field->name) == 0) row = &options[k];
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(input->chosen.at[k].name, field->name) == 0)
                return arena_printf(&input->arena, "the option '%.60s' is given twice",
                                    field->name);
        if (!row)
            return arena_printf(&input->arena, "there is no option '%.60s'", field->name);
        if (row->is_list ? !apply_list(input, row, field->value)
                         : !row->apply(input, field->value))
            return arena_printf(&input->arena, "the option '%s' cannot be '%.100s'", field->name,
                                field->value);
    }
    return NULL;
}

static void begin(const struct settings *settings, struct input *input)
{
    input->options = ptxopt_options_new();
    input->name = "input.ptx";
    ptxopt_options_set_max_input(input->options, (size_t)settings->limits.max_decompressed);
}

/* ---- JSON ---- */

static bool is_too_deep(struct str text, uint64_t most)
{
    uint64_t depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (quoted) {
            if (c == '\\') i++;
            else if (c == '"') quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            if (++depth > most) return true;
        } else if ((c == '}' || c == ']') && depth) {
            depth--;
        }
    }
    return false;
}

/* JSON of a client: no duplicate keys, no deeper than the limit. NULL: problem says why. */
static json_t *parse(const struct settings *settings, struct str text, struct arena *arena,
                     const char **problem)
{
    json_error_t error;
    if (is_too_deep(text, settings->limits.max_json_depth)) {
        *problem = "the JSON is nested too deeply";
        return NULL;
    }
    json_t *json = json_loadb(text.n ? text.p : "", text.n, JSON_REJECT_DUPLICATES, &error);
    if (!json)
        *problem = arena_printf(arena, "not JSON: line %d, column %d: %s", error.line,
                                error.column, error.text);
    return json;
}

/* A string, an array of strings joined with commas, or a truth; NULL for anything else. */
static const char *list_of(struct input *input, const json_t *value)
{
    if (json_is_boolean(value)) return json_is_true(value) ? "true" : "false";
    if (json_is_string(value)) return json_string_value(value);
    if (!json_is_array(value)) return NULL;
    const char *joined = "";
    for (size_t i = 0; i < json_array_size(value); i++) {
        const char *one = json_string_value(json_array_get(value, i));
        if (!one || i > 10000) return NULL;
        joined = *joined ? arena_printf(&input->arena, "%s,%s", joined, one) : one;
    }
    return joined;
}

static const char *choose_json(struct input *input, json_t *chosen)
{
    const char *name;
    json_t *value;
    if (!chosen) return NULL;
    if (!json_is_object(chosen)) return "\"options\" must be an object";
    json_object_foreach(chosen, name, value) {
        const char *list = list_of(input, value);
        if (!list)
            return arena_printf(&input->arena, "the option '%.60s' must be text", name);
        vec_push(&input->chosen, (struct field){name, list});
    }
    return NULL;
}

static struct str text_of(const json_t *json, const char *name)
{
    const json_t *value = json_object_get(json, name);
    return (struct str){json_string_value(value), json_string_length(value)};
}

/* Reads {first: …, second: …, "options": …}; second may be NULL. What is wrong, or NULL. */
static const char *read_json(const struct settings *settings, struct str body,
                             struct input *input, const char *first, const char *second)
{
    const char *name, *problem = NULL;
    json_t *value;
    input->json = parse(settings, body, &input->arena, &problem);
    if (!input->json) return problem;
    if (!json_is_object(input->json)) return "not a JSON object";
    json_object_foreach(input->json, name, value) {
        if (strcmp(name, first) && strcmp(name, "options") && (!second || strcmp(name, second)))
            return arena_printf(&input->arena, "there is no member '%.60s'", name);
    }
    input->source = text_of(input->json, first);
    if (second) input->after = text_of(input->json, second);
    if (!input->source.p || (second && !input->after.p))
        return second ? "\"before\" and \"after\" must be the two texts"
                      : "\"source\" must be the PTX, as text";
    problem = choose_json(input, json_object_get(input->json, "options"));
    return problem ? problem : apply_all(input, second ? FOR_PAIR : FOR_ONE);
}

/* ---- requests ---- */

static bool is_json(const struct request *request)
{
    const char *type = fields_find(&request->headers, "Content-Type");
    return type && strncasecmp(type, "application/json", 16) == 0;
}

static const char *read_raw(const struct request *request, struct str body, struct input *input)
{
    for (uint32_t i = 0; i < request->query.count; i++)
        if (strcmp(request->query.at[i].name, "format"))
            vec_push(&input->chosen, request->query.at[i]);
    input->source = body;
    return apply_all(input, FOR_ONE);
}

static struct str body_of(const struct request *request)
{
    return (struct str){request->body.len ? request->body.data : "", request->body.len};
}

static bool refuse(const struct request *request, struct reply *reply, const char *problem)
{
    if (problem) problem_set(reply, request, 400, "bad-request", "%s", problem);
    return !problem;
}

bool input_read(const struct settings *settings, const struct request *request,
                struct input *input, struct reply *reply)
{
    begin(settings, input);
    if (!is_json(request)) return refuse(request, reply, read_raw(request, body_of(request), input));
    if (request->query.count && strcmp(request->query.at[0].name, "format"))
        return refuse(request, reply, "options of a JSON request stand in its body");
    return refuse(request, reply, read_json(settings, body_of(request), input, "source", NULL));
}

bool input_read_pair(const struct settings *settings, const struct request *request,
                     struct input *input, struct reply *reply)
{
    begin(settings, input);
    return refuse(request, reply, read_json(settings, body_of(request), input, "before", "after"));
}

void input_free(struct input *input)
{
    json_decref(input->json);
    ptxopt_options_free(input->options);
    vec_free(&input->chosen);
    arena_free(&input->arena);
}
