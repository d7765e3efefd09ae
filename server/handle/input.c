/* Reads a request's content: texts and options. A new option is a row of the table here and a
 * line in openapi.json. */
#include "server/handle/input.h"

#include <string.h>

#include "base/bug.h"
#include "server/handle/negotiate.h"
#include "server/handle/problem.h"

enum {
    LIST_MOST = 256 << 10,     /* bytes of a list of names */
    NAME_MOST_CHARACTERS = 255 /* of a file, in reports */
};

/* One option: applies value, false when it is not known. */
struct option_row {
    const char *name;
    enum { FOR_ONE = 1, FOR_PAIR = 2, FOR_LINT = 4 } use; /* optimize and report, verify, lint */
    bool is_list; /* applied to each name of a comma separated list */
    bool (*apply)(struct input *input, const char *value);
    const char *takes;
};

static bool input_set_rules(struct input *input, const char *value)
{
    return ptxopt_options_set_rules(input->options, value);
}

static bool input_set_optimizations(struct input *input, const char *value)
{
    return ptxopt_options_set_optimizations(input->options, value);
}

static bool input_set_assume(struct input *input, const char *value)
{
    return ptxopt_options_assume(input->options, value, true);
}

static bool input_set_no_assume(struct input *input, const char *value)
{
    return ptxopt_options_assume(input->options, value, false);
}

static bool input_set_isa(struct input *input, const char *value)
{
    return ptxopt_options_set_isa(input->options, value);
}

static bool input_set_only(struct input *input, const char *value)
{
    return ptxopt_options_only(input->options, value);
}

static bool input_set_skip(struct input *input, const char *value)
{
    return ptxopt_options_skip(input->options, value);
}

static bool input_set_level(struct input *input, const char *value)
{
    enum ptxopt_level level = strcmp(value, "error") == 0     ? PTXOPT_ERROR
                              : strcmp(value, "warning") == 0 ? PTXOPT_WARNING
                              : strcmp(value, "note") == 0    ? PTXOPT_NOTE
                                                              : PTXOPT_REMARK; /* is refused */
    return ptxopt_options_set_lint_level(input->options, level);
}

static bool input_set_accept(struct input *input, const char *value)
{
    return ptxopt_options_accept(input->options, value);
}

static bool input_set_style(struct input *input, const char *value)
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

static bool input_set_parse(struct input *input, const char *value)
{
    bool full = strcmp(value, "full") == 0;
    ptxopt_options_set_parse(input->options, full ? PTXOPT_PARSE_FULL : PTXOPT_PARSE_SHAPES);
    return full || strcmp(value, "shapes") == 0;
}

/* Reports open no file of that name; it is only printed. */
static bool input_set_name(struct input *input, const char *value)
{
    input->name = value;
    size_t characters = 0;
    for (const char *p = value; *p; p++) characters += ((unsigned char)*p & 0xc0) != 0x80;
    return *value && characters <= NAME_MOST_CHARACTERS;
}

static bool input_set_certificate(struct input *input, const char *value)
{
    bool on = strcmp(value, "true") == 0;
    ptxopt_options_set_certificate(input->options, on);
    return on || strcmp(value, "false") == 0;
}

static bool set_fix(struct input *input, const char *value)
{
    bool on = strcmp(value, "true") == 0;
    ptxopt_options_set_fix(input->options, on);
    return on || strcmp(value, "false") == 0;
}

#define FOR_ANY (FOR_ONE | FOR_PAIR | FOR_LINT)
#define FOR_TEXT (FOR_ONE | FOR_LINT)
#define RULES "names of /v1/rules, all or none"
#define NAMES "names of /v1/assumptions"
#define IDS "ids of edits, of 12 hexadecimal digits"

static const struct option_row options[] = {
    {"rules", FOR_ONE, false, input_set_rules, RULES},
    {"optimizations", FOR_ONE, false, input_set_optimizations, "tcgen05 or none"},
    {"assume", FOR_ANY, true, input_set_assume, NAMES},
    {"no_assume", FOR_ANY, true, input_set_no_assume, NAMES},
    {"isa", FOR_ANY, false, input_set_isa, "MAJOR.MINOR, at least 8.6"},
    {"style", FOR_ONE, false, input_set_style, "blank, annotate or squeeze"},
    {"parse", FOR_TEXT, false, input_set_parse, "shapes or full"},
    {"only", FOR_ONE, true, input_set_only, IDS},
    {"skip", FOR_ONE, true, input_set_skip, IDS},
    {"name", FOR_TEXT, false, input_set_name, "text of 1 to 255 characters"},
    {"level", FOR_LINT, false, input_set_level, "error, warning or note"},
    {"accept", FOR_LINT, true, input_set_accept, "ids of findings, of 12 hexadecimal digits"},
    {"fix", FOR_LINT, false, set_fix, "true or false"},
    {"certificate", FOR_PAIR, false, input_set_certificate, "true or false"},
};

/* The fault, in input's arena. */
static const char *wrong_value(struct input *input, const struct option_row *row, const char *value)
{
    return arena_printf(&input->arena, "the option '%s' takes %s, not '%.60s'", row->name,
                        row->takes, value);
}

static const char *no_such_option(struct input *input, const char *name, unsigned use)
{
    const char *all = "";
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (options[k].use & use)
            all = arena_printf(&input->arena, "%s%s%s", all, *all ? ", " : "", options[k].name);
    return arena_printf(&input->arena, "there is no option '%.60s'; there are %s", name, all);
}

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

/* use: a bit of option_row. */
static const struct option_row *find_option(const char *name, unsigned use)
{
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if ((options[k].use & use) && strcmp(options[k].name, name) == 0) return &options[k];
    return NULL;
}

/* Applies what was chosen; the option that is wrong, or NULL. */
static const char *apply_all(struct input *input, unsigned use)
{
    for (uint32_t i = 0; i < input->chosen.count; i++) {
        const struct field *field = &input->chosen.at[i];
        const struct option_row *row = find_option(field->name, use);
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(input->chosen.at[k].name, field->name) == 0)
                return arena_printf(&input->arena, "the option '%.60s' is given twice",
                                    field->name);
        if (!row) return no_such_option(input, field->name, use);
        if (row->is_list ? !apply_list(input, row, field->value) : !row->apply(input, field->value))
            return wrong_value(input, row, field->value);
    }
    return NULL;
}

static void input_begin(const struct settings *settings, struct input *input)
{
    input->options = ptxopt_options_new();
    if (!input->options) mem_exhausted();
    input->name = "input.ptx";
    size_t most = (size_t)settings->limits.max_decompressed;
    BUG_UNLESS(ptxopt_options_set_max_input(input->options, most));
}

/* ---- JSON ---- */

/* Before it is parsed, since jansson makes some hundred bytes of each value. */
static const char *find_excess(struct str text, const struct limits *limits)
{
    uint64_t depth = 0, values = 1;
    bool quoted = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (quoted) {
            if (c == '\\')
                i++;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            values++;
            if (++depth > limits->max_json_depth) return "the JSON is nested too deeply";
        } else if (c == ',') {
            values++;
        } else if ((c == '}' || c == ']') && depth) {
            depth--;
        }
    }
    return values > limits->max_json_values ? "the JSON has too many values" : NULL;
}

/* JSON of a client: no duplicate keys, no deeper than the limit. NULL: problem says why. */
static json_t *input_parse_json(const struct settings *settings, struct str text,
                                struct arena *arena, const char **problem)
{
    json_error_t error;
    *problem = find_excess(text, &settings->limits);
    if (*problem) return NULL;
    json_t *json = json_loadb(text.n ? text.p : "", text.n, JSON_REJECT_DUPLICATES, &error);
    if (!json)
        *problem = arena_printf(arena, "not JSON: line %d, column %d: %s", error.line, error.column,
                                error.text);
    return json;
}

/* An array of strings joined with commas; NULL for anything else. */
static const char *join_strings(struct input *input, const json_t *value)
{
    if (!json_is_array(value)) return NULL;
    struct buf joined = {0};
    bool fine = true;
    for (size_t i = 0; fine && i < json_array_size(value); i++) {
        const char *one = json_string_value(json_array_get(value, i));
        fine = one && *one && joined.len + strlen(one) < LIST_MOST;
        if (fine) buf_printf(&joined, "%s%s", i ? "," : "", one);
    }
    const char *list =
        fine ? arena_copy(&input->arena, joined.len ? joined.data : "", joined.len) : NULL;
    buf_free(&joined);
    return list;
}

/* The option as in a query: NULL when it has the wrong type. */
static const char *text_of_option(struct input *input, const struct option_row *row,
                                  const json_t *value)
{
    if (row->apply == input_set_certificate || row->apply == set_fix)
        return !json_is_boolean(value) ? NULL : json_is_true(value) ? "true" : "false";
    if (json_is_string(value)) return json_string_value(value);
    return row->is_list ? join_strings(input, value) : NULL;
}

static const char *choose_json(struct input *input, json_t *chosen, unsigned use)
{
    const char *name;
    json_t *value;
    if (!chosen) return NULL;
    if (!json_is_object(chosen)) return "\"options\" must be an object";
    json_object_foreach(chosen, name, value)
    {
        const struct option_row *row = find_option(name, use);
        if (!row) return no_such_option(input, name, use);
        const char *text = text_of_option(input, row, value);
        if (!text) return wrong_value(input, row, "a value of another type, or one so long");
        vec_push(&input->chosen, (struct field){name, text});
    }
    return NULL;
}

static struct str member_text(const json_t *json, const char *name)
{
    const json_t *value = json_object_get(json, name);
    return (struct str){json_string_value(value), json_string_length(value)};
}

static bool is_json(const struct request *request)
{
    const char *type = fields_find(&request->headers, "Content-Type");
    return type && negotiate_is_type(type, "application/json");
}

static bool request_has_path(const struct request *request, const char *path)
{
    return strcmp(request->path, path) == 0;
}

static unsigned input_use(const struct request *request)
{
    return request_has_path(request, "/v1/lint") ? FOR_LINT : FOR_ONE;
}

/* The only field that a report reads from the query, whatever the body is. */
static bool is_format(const struct request *request, uint32_t i)
{
    bool reports = request_has_path(request, "/v1/report") || request_has_path(request, "/v1/lint");
    return reports && request->query.at[i].value == fields_find(&request->query, "format");
}

static struct str request_body(const struct request *request)
{
    return (struct str){request->body.len ? request->body.data : "", request->body.len};
}

/* The options of the query that are not chosen yet: those of a JSON body count before them. */
static void choose_query(const struct request *request, struct input *input)
{
    const uint32_t of_body = input->chosen.count;
    for (uint32_t i = 0; i < request->query.count; i++) {
        bool is_chosen = is_format(request, i);
        for (uint32_t k = 0; k < of_body && !is_chosen; k++)
            is_chosen = strcmp(input->chosen.at[k].name, request->query.at[i].name) == 0;
        if (!is_chosen) vec_push(&input->chosen, request->query.at[i]);
    }
}

/* Reads {first: …, second: …, "options": …}, and what else the query chooses; second may be NULL.
 * The fault, or NULL. */
static const char *read_json(const struct settings *settings, const struct request *request,
                             struct input *input, const char *first, const char *second,
                             unsigned use)
{
    const char *name, *problem = NULL;
    json_t *value;
    input->json = input_parse_json(settings, request_body(request), &input->arena, &problem);
    if (!input->json) return problem;
    if (!json_is_object(input->json)) return "not a JSON object";
    input->source = member_text(input->json, first);
    if (second) input->after = member_text(input->json, second);
    if (!input->source.p || (second && !input->after.p))
        return second ? "\"before\" and \"after\" must be there, and be the two texts"
                      : "\"source\" must be there, and be the PTX as text";
    json_object_foreach(input->json, name, value)
    {
        if (strcmp(name, first) && strcmp(name, "options") && (!second || strcmp(name, second)))
            return arena_printf(&input->arena, "there is no member '%.60s' beside \"options\"",
                                name);
    }
    problem = choose_json(input, json_object_get(input->json, "options"), use);
    if (!problem) choose_query(request, input);
    return problem ? problem : apply_all(input, use);
}

/* ---- requests ---- */

static const char *read_raw(const struct request *request, struct str body, struct input *input)
{
    choose_query(request, input);
    input->source = body;
    return apply_all(input, input_use(request));
}

/* A pair has no options but those in its body. */
static const char *refuse_query(const struct request *request, struct input *input)
{
    if (!request->query.count) return NULL;
    return arena_printf(&input->arena, "'%.60s' in the query: expected the options in the body",
                        request->query.at[0].name);
}

static bool refuse_input(const struct request *request, struct reply *reply, const char *problem)
{
    if (problem) problem_set(reply, request, 400, "bad-request", "%s", problem);
    return !problem;
}

bool input_read(const struct settings *settings, const struct request *request, struct input *input,
                struct reply *reply)
{
    input_begin(settings, input);
    const char *problem =
        is_json(request) ? read_json(settings, request, input, "source", NULL, input_use(request))
                         : read_raw(request, request_body(request), input);
    if (!problem && !input->source.n) {
        problem_set(reply, request, 422, "ptx", "the text is empty");
        return false;
    }
    return refuse_input(request, reply, problem);
}

bool input_read_pair(const struct settings *settings, const struct request *request,
                     struct input *input, struct reply *reply)
{
    input_begin(settings, input);
    const char *problem = refuse_query(request, input);
    if (!problem) problem = read_json(settings, request, input, "before", "after", FOR_PAIR);
    return refuse_input(request, reply, problem);
}

void input_free(struct input *input)
{
    json_decref(input->json);
    ptxopt_options_free(input->options);
    vec_free(&input->chosen);
    arena_free(&input->arena);
}
