/* Sets and copies the options of a caller. See ptxopt.h. */
#include "api/options.h"

#include <inttypes.h>

#include "base/team.h"
#include "engine/id.h"

enum { DEFAULT_MAX_INPUT = 256 << 20 };

#define ALL_RULES ((1u << RULE_COUNT) - 1)

struct ptxopt_options *ptxopt_options_new(void)
{
    struct ptxopt_options *options = mem_try_zalloc(sizeof *options);
    if (!options) return NULL;
    options->engine.rules = ALL_RULES;
    options->least = LINT_WARNING;
    options->engine.max_input = DEFAULT_MAX_INPUT;
    return options;
}

/* Replaces the borrowed list by a copy. */
static void copy_ids(struct edit_ids *ids)
{
    struct edit_ids from = *ids;
    *ids = (struct edit_ids){0};
    for (uint32_t i = 0; i < from.count; i++) vec_push(ids, from.at[i]);
}

static const char *options_copy_text(const char *text)
{
    struct buf copy = {0};
    buf_puts(&copy, text);
    return buf_take(&copy);
}

static void copy_given_up(struct given_up_list *list)
{
    struct given_up_list from = *list;
    *list = (struct given_up_list){0};
    for (uint32_t i = 0; i < from.count; i++)
        vec_push(list, (struct given_up){from.at[i].id, options_copy_text(from.at[i].why)});
}

static void copy_lists(void *context)
{
    struct ptxopt_options *copy = context;
    copy_ids(&copy->engine.only);
    copy_ids(&copy->engine.skip);
    copy_ids(&copy->accepted);
    copy_given_up(&copy->engine.given_up);
}

struct ptxopt_options *ptxopt_options_copy(const struct ptxopt_options *options)
{
    struct ptxopt_options *copy = options ? mem_try_zalloc(sizeof *copy) : NULL;
    if (!copy) return NULL;
    *copy = *options;
    if (work_run(NULL, copy_lists, copy).end == WORK_DONE) return copy;
    mem_free(copy);
    return NULL;
}

void ptxopt_options_free(struct ptxopt_options *options)
{
    if (!options) return;
    vec_free(&options->engine.only);
    vec_free(&options->engine.skip);
    vec_free(&options->accepted);
    for (uint32_t i = 0; i < options->engine.given_up.count; i++)
        mem_free((char *)options->engine.given_up.at[i].why);
    vec_free(&options->engine.given_up);
    mem_free(options);
}

/* The bits of a comma-separated list of rules. False if a name is not a rule. */
static bool parse_rules(const char *names, uint32_t *bits)
{
    *bits = 0;
    while (*names) {
        size_t n = strcspn(names, ",");
        uint32_t index = rule_find((struct str){names, n});
        if (index == RULE_COUNT) return false;
        *bits |= 1u << index;
        names += n + (names[n] == ',');
    }
    return *bits != 0;
}

bool ptxopt_options_set_threads(struct ptxopt_options *options, unsigned threads)
{
    if (!threads || threads > TEAM_MOST_THREADS) return false;
    options->engine.threads = threads;
    return true;
}

bool ptxopt_options_set_rules(struct ptxopt_options *options, const char *names)
{
    uint32_t bits = 0;
    if (strcmp(names, "all") == 0)
        bits = ALL_RULES;
    else if (strcmp(names, "none") != 0 && !parse_rules(names, &bits))
        return false;
    options->engine.rules = bits;
    return true;
}

bool ptxopt_options_set_optimizations(struct ptxopt_options *options, const char *set)
{
    if (strcmp(set, "tcgen05") == 0) return true;
    return strcmp(set, "none") == 0 && ptxopt_options_set_rules(options, "none");
}

bool ptxopt_options_assume(struct ptxopt_options *options, const char *name, bool on)
{
    uint32_t bit = assume_find(name);
    if (!bit) return false;
    options->engine.assumptions &= ~bit;
    options->engine.no_assumptions &= ~bit;
    if (on)
        options->engine.assumptions |= bit;
    else
        options->engine.no_assumptions |= bit;
    return true;
}

/* Reads one to four digits; false for anything else. */
static bool parse_isa_number(const char **at, uint32_t *value)
{
    const char *start = *at;
    *value = 0;
    for (; **at >= '0' && **at <= '9' && *at - start < 4; ++*at)
        *value = *value * 10 + (uint32_t)(**at - '0');
    return *at != start;
}

bool ptxopt_options_set_isa(struct ptxopt_options *options, const char *isa)
{
    uint32_t major, minor;
    if (!parse_isa_number(&isa, &major) || *isa++ != '.') return false;
    if (!parse_isa_number(&isa, &minor) || *isa) return false;
    if (major < 8 || (major == 8 && minor < 6)) return false;
    options->engine.isa_major = major;
    options->engine.isa_minor = minor;
    return true;
}

struct new_id {
    struct edit_ids *ids;
    uint64_t id;
};

static void push_id(void *context)
{
    struct new_id *added = context;
    vec_push(added->ids, added->id);
}

static bool add_id(struct ptxopt_options *options, struct edit_ids *ids, const char *text)
{
    struct new_id added = {.ids = ids};
    if (!id_parse(text, &added.id)) return false;
    if (work_run(NULL, push_id, &added).end != WORK_DONE) options->lacks_ids = true;
    return true;
}

bool ptxopt_options_only(struct ptxopt_options *options, const char *id)
{
    return add_id(options, &options->engine.only, id);
}

bool ptxopt_options_skip(struct ptxopt_options *options, const char *id)
{
    return add_id(options, &options->engine.skip, id);
}

struct new_given_up {
    struct given_up_list *list;
    uint64_t id;
    const char *why;
};

static void push_given_up(void *context)
{
    const struct new_given_up *added = context;
    const char *why = options_copy_text(added->why); /* copied first: a call that fails is freed */
    vec_push(added->list, (struct given_up){added->id, why});
}

bool ptxopt_options_give_up(struct ptxopt_options *options, const char *id, const char *why)
{
    struct new_given_up added = {.list = &options->engine.given_up, .why = why};
    if (!id_parse(id, &added.id)) return false;
    if (work_run(NULL, push_given_up, &added).end != WORK_DONE) options->lacks_ids = true;
    return true;
}

bool ptxopt_options_accept(struct ptxopt_options *options, const char *id)
{
    return add_id(options, &options->accepted, id);
}

void ptxopt_options_set_remarks(struct ptxopt_options *options, bool on)
{
    options->engine.no_remarks = !on;
}

void ptxopt_options_set_steps(struct ptxopt_options *options, bool on)
{
    options->engine.steps = on;
}

void ptxopt_options_set_estimates(struct ptxopt_options *options, bool on)
{
    options->engine.estimates = on;
}

void ptxopt_options_set_lint(struct ptxopt_options *options, bool on)
{
    options->engine.lint = on;
}

void ptxopt_options_set_fix(struct ptxopt_options *options, bool on)
{
    options->engine.fix = on;
}

bool ptxopt_options_set_lint_level(struct ptxopt_options *options, enum ptxopt_level least)
{
    if (least != PTXOPT_ERROR && least != PTXOPT_WARNING && least != PTXOPT_NOTE) return false;
    options->least = least == PTXOPT_ERROR     ? LINT_ERROR
                     : least == PTXOPT_WARNING ? LINT_WARNING
                                               : LINT_NOTE;
    return true;
}

void ptxopt_options_set_style(struct ptxopt_options *options, enum ptxopt_style style)
{
    options->engine.style = style == PTXOPT_ANNOTATE  ? EDIT_ANNOTATE
                            : style == PTXOPT_SQUEEZE ? EDIT_SQUEEZE
                                                      : EDIT_BLANK;
}

void ptxopt_options_set_parse(struct ptxopt_options *options, enum ptxopt_parse parse)
{
    options->engine.whole_parse = parse != PTXOPT_PARSE_SHAPES;
    options->engine.strict = parse == PTXOPT_PARSE_FULL;
}

void ptxopt_options_set_certificate(struct ptxopt_options *options, bool on)
{
    options->engine.certificate = on;
}

bool ptxopt_options_set_max_input(struct ptxopt_options *options, size_t bytes)
{
    if (bytes < 1 || bytes > SOURCE_MAX) return false;
    options->engine.max_input = bytes;
    return true;
}

void ptxopt_options_set_max_memory(struct ptxopt_options *options, size_t bytes)
{
    options->has_max_memory = true;
    options->limits.max_bytes = bytes;
}

void ptxopt_options_set_cancel(struct ptxopt_options *options, bool (*cancelled)(void *context),
                               void *context)
{
    options->limits.cancelled = cancelled;
    options->limits.context = context;
}

void ptxopt_options_set_progress(struct ptxopt_options *options,
                                 void (*progress)(void *context, size_t bytes), void *context)
{
    options->engine.progress = progress;
    options->engine.progress_context = context;
}

bool options_accept(const struct ptxopt_options *options, uint64_t id)
{
    for (uint32_t i = 0; i < options->accepted.count; i++)
        if (options->accepted.at[i] == id) return true;
    return false;
}

struct check_options options_for_checker(const struct ptxopt_options *options)
{
    struct check_options checker = engine_check_options(&options->engine);
    checker.certificate = options->engine.certificate;
    return checker;
}

static void add_name_list(struct buf *out, const char *names)
{
    for (; *names; names++) {
        buf_putc(out, *names);
        if (*names == ',') buf_putc(out, ' ');
    }
}

static void add_rules(struct buf *out, uint32_t bits)
{
    if (bits == ALL_RULES) buf_puts(out, "all rules");
    if (!bits) buf_puts(out, "no rule");
    if (bits == ALL_RULES) return;
    const char *between = "rules ";
    for (uint32_t r = 0; r < RULE_COUNT; r++) {
        if (!(bits & 1u << r)) continue;
        buf_printf(out, "%s%s", between, rule_at(r)->id);
        between = ", ";
    }
}

const char *options_settings(const struct ptxopt_options *options, struct engine_run *run)
{
    const struct engine_options *asked = &options->engine;
    const struct view *view = &run->view;
    struct buf text = {0};
    if (!run->view.function_count) return "";
    add_rules(&text, asked->rules);
    buf_printf(&text, ", PTX ISA %" PRIu32 ".%" PRIu32 "%s",
               asked->isa_major ? asked->isa_major : view->isa_major,
               asked->isa_major ? asked->isa_minor : view->isa_minor,
               asked->isa_major ? " as asked for" : "");
    if (run->assumptions) buf_puts(&text, ", assumes ");
    add_name_list(&text, assume_names(run->assumptions, &run->arena));
    if (asked->lint) buf_puts(&text, ", lint");
    const char *copy = arena_copy(&run->arena, text.data, text.len);
    buf_free(&text);
    return copy;
}
