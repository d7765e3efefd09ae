/* Applies one option of the command line to struct command. Each error message says what was
 * expected. A new option is a case here and a row in options.c. */
#include "cli/apply.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "cli/nearest.h"
#include "cli/number.h"

enum { MAX_JOBS = 64, MOST_REGISTERS = 255 };

static const size_t LARGEST_MAX_INPUT = (size_t)1 << 30, LARGEST_MAX_MEMORY = SIZE_MAX >> 16,
                    LARGEST_TIMEOUT_S = 1000000;

/* Adds ", did you mean 'X'?" if some name is near. */
static void add_suggestion(struct buf *error, const struct nearest *nearest)
{
    if (nearest->best) buf_printf(error, ", did you mean '%s'?", nearest->best);
}

static const struct ptxopt_rule *find_rule(const char *id)
{
    size_t count;
    const struct ptxopt_rule *rules = ptxopt_rules(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rules[i].id, id) == 0) return &rules[i];
    return NULL;
}

static void unknown_rule(struct buf *error, const char *id)
{
    size_t count;
    const struct ptxopt_rule *rules = ptxopt_rules(&count);
    struct nearest nearest = nearest_to(id);
    for (size_t i = 0; i < count; i++) nearest_try(&nearest, rules[i].id);
    buf_printf(error, "--rules: there is no rule '%s'", id);
    add_suggestion(error, &nearest);
    if (!nearest.best) buf_puts(error, ", see --list-rules");
}

static bool command_set_rules(struct command *command, const char *list, struct buf *error)
{
    command->chooses = true;
    command->rules = list;
    if (ptxopt_options_set_rules(command->options, list)) return true;
    for (const char *at = list;; at++) {
        struct buf name = {0};
        size_t len = strcspn(at, ",");
        buf_add(&name, at, len);
        char *id = buf_take(&name);
        bool known = find_rule(id) || strcmp(id, "all") == 0 || strcmp(id, "none") == 0;
        if (!known) unknown_rule(error, id);
        mem_free(id);
        if (!known) return false;
        at += len;
        if (!*at) break;
    }
    buf_printf(error, "--rules: expected rule names separated by commas, not '%s'", list);
    return false;
}

static bool set_assumption(struct command *command, const char *name, bool on, struct buf *error)
{
    vec_push(&command->assumptions, (struct assumption_choice){name, on});
    if (ptxopt_options_assume(command->options, name, on)) return true;
    size_t count;
    const struct ptxopt_assumption *assumptions = ptxopt_assumptions(&count);
    struct nearest nearest = nearest_to(name);
    for (size_t i = 0; i < count; i++) nearest_try(&nearest, assumptions[i].name);
    buf_printf(error, "--%sassume: there is no assumption '%s'", on ? "" : "no-", name);
    add_suggestion(error, &nearest);
    if (!nearest.best) buf_puts(error, ", see --list-assumptions");
    return false;
}

/* The index of word in words. Negative: it is not there, and error says so. */
static int find_word(const char *option, const char *const *words, const char *word,
                     struct buf *error)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0) return i;
    buf_printf(error, "--%s: expected", option);
    for (int i = 0; words[i]; i++)
        buf_printf(error, "%s%s", !i ? " " : words[i + 1] ? ", " : " or ", words[i]);
    buf_printf(error, ", not '%s'", word);
    return -1;
}

static bool set_stage(struct command *command, const char *stage, struct buf *error)
{
    command->stage = stage;
    return find_word("dump", options_stages, stage, error) >= 0;
}

static bool command_set_parse(struct command *command, const char *how, struct buf *error)
{
    int parse = find_word("parse", options_parses, how, error);
    if (parse >= 0) command->parse = (enum ptxopt_parse)parse;
    return parse >= 0;
}

static bool command_set_level(struct command *command, const char *word, struct buf *error)
{
    static const enum ptxopt_level levels[] = {PTXOPT_ERROR, PTXOPT_WARNING, PTXOPT_NOTE};
    int level = find_word("lint-level", options_levels, word, error);
    if (level < 0) return false;
    command->level = levels[level];
    return command->has_level = true;
}

/* depth: NULL for everything that can be counted. */
static bool set_stats(struct command *command, const char *depth, struct buf *error)
{
    command->stats = true;
    command->only_counts = depth;
    if (!depth || strcmp(depth, "no-sass") == 0) return true;
    buf_printf(error, "--stats: expected --stats or --stats=no-sass, not '%s'", depth);
    return false;
}

/* depth: NULL for one line each. */
static bool set_remarks(struct command *command, const char *depth, struct buf *error)
{
    command->remarks = true;
    command->remarks_full = depth;
    if (!depth || strcmp(depth, "full") == 0) return true;
    buf_printf(error, "--remarks: expected --remarks or --remarks=full, not '%s'", depth);
    return false;
}

static bool set_color(struct command *command, const char *when, struct buf *error)
{
    int color = find_word("color", options_colors, when, error);
    if (color >= 0) command->color = (enum reports_color)color;
    return color >= 0;
}

static bool set_locate(struct command *command, const char *where, struct buf *error)
{
    int locate = find_word("locate", options_locates, where, error);
    if (locate >= 0) command->locate = (enum locate)locate;
    return locate >= 0;
}

static bool command_set_style(struct command *command, enum ptxopt_style wanted, struct buf *error)
{
    if (command->style != PTXOPT_BLANK && command->style != wanted) {
        buf_puts(error, "--annotate and --squeeze exclude each other");
        return false;
    }
    command->style = wanted;
    command->chooses = true;
    ptxopt_options_set_style(command->options, wanted);
    return true;
}

static bool set_jobs(struct command *command, const char *text, struct buf *error)
{
    const char *end;
    if (number_read(text, MAX_JOBS, &command->jobs, &end) && !*end && command->jobs > 0)
        return true;
    buf_printf(error, "-j: expected a number from 1 to %d, not '%s'", MAX_JOBS, text);
    return false;
}

static bool set_max_input(struct command *command, const char *text, struct buf *error)
{
    size_t value;
    bool good = number_bytes(text, LARGEST_MAX_INPUT, &value) &&
                ptxopt_options_set_max_input(command->options, value);
    if (good)
        command->max_input = value;
    else
        buf_printf(error,
                   "--max-input: expected a number of bytes, as 4096, 64K, 16M or at most 1G,"
                   " not '%s'",
                   text);
    return good;
}

static bool set_max_memory(struct command *command, const char *text, struct buf *error)
{
    size_t value;
    bool good = number_bytes(text, LARGEST_MAX_MEMORY, &value);
    if (good)
        ptxopt_options_set_max_memory(command->options, value);
    else
        buf_printf(error,
                   "--max-memory: expected a number of bytes, as 64M or 1G, or 0 for no limit,"
                   " not '%s'",
                   text);
    return good;
}

static bool set_max_report(struct command *command, const char *text, struct buf *error)
{
    size_t value;
    bool good = number_bytes(text, LARGEST_MAX_MEMORY, &value) && value;
    if (good)
        command->max_report = value;
    else
        buf_printf(error, "--max-report: expected a number of bytes, as 65536, 64M or 1G, not '%s'",
                   text);
    return good;
}

static bool set_seconds(const char *option, size_t *ms, const char *text, struct buf *error)
{
    if (number_seconds(text, LARGEST_TIMEOUT_S, ms) && *ms) return true;
    buf_printf(error, "--%s: expected seconds, from 0.001 to %zu, not '%s'", option,
               LARGEST_TIMEOUT_S, text);
    return false;
}

static bool set_max_registers(struct command *command, const char *text, struct buf *error)
{
    const char *end;
    size_t *most = &command->limits.max_registers;
    if (number_read(text, MOST_REGISTERS, most, &end) && !*end && *most > 0) return true;
    buf_printf(error, "--max-registers: expected registers a thread, from 1 to %d, not '%s'",
               MOST_REGISTERS, text);
    return false;
}

static bool command_set_isa(struct command *command, const char *version, struct buf *error)
{
    command->isa = version;
    if (ptxopt_options_set_isa(command->options, version)) return true;
    buf_printf(error, "--isa: expected MAJOR.MINOR, at least 8.6, not '%s'", version);
    return false;
}

static bool set_set(struct command *command, const char *set, struct buf *error)
{
    command->chooses = true;
    if (strcmp(set, "none") == 0) command->rules = set; /* the rules are then "none" as well */
    if (ptxopt_options_set_optimizations(command->options, set)) return true;
    buf_printf(error,
               "-O: expected tcgen05 or none, not '%s': there are no levels; use for example "
               "'ptxopt -O tcgen05 in.ptx -o out.ptx'",
               set);
    return false;
}

static bool set_output(struct command *command, const char *path, struct buf *error)
{
    if (command->output)
        buf_puts(error, "-o may be given once");
    else if (!*path)
        buf_puts(error, "-o: expected a file name, not ''");
    else
        command->output = path;
    return command->output == path;
}

static void command_set_certificate(struct command *command, const char *path)
{
    command->certificate = path;
    ptxopt_options_set_certificate(command->options, true);
}

/* Adds the ids of --only or --skip, which are separated by commas. */
static bool add_ids(struct command *command, const char *option, const char *list,
                    bool (*add)(struct ptxopt_options *, const char *), struct buf *error)
{
    for (;; list++) {
        struct buf word = {0};
        size_t len = strcspn(list, ",");
        buf_add(&word, list, len);
        char *id = buf_take(&word);
        if (!add(command->options, id)) {
            buf_printf(error,
                       "--%s: expected an id of 12 hexadecimal digits from a report, not '%s'",
                       option, id);
            mem_free(id);
            return false;
        }
        vec_push(&command->ids, (struct chosen_id){id, strcmp(option, "only") == 0});
        list += len;
        if (!*list) return true;
    }
}

static bool set_server(struct command *command, const char *url, struct buf *error)
{
    static const char *const schemes[] = {"http://", "https://", "unix:"};
    command->server = url;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t n = strlen(schemes[i]);
        if (strncmp(url, schemes[i], n) == 0 && url[n]) return true;
    }
    buf_printf(error, "--server: expected http://HOST, https://HOST or unix:PATH, not '%s'", url);
    return false;
}

/* True if --explain has the id of a finding, not a name. */
static bool is_id(const char *word)
{
    enum { ID_LENGTH = 12 };
    return strlen(word) == ID_LENGTH && strspn(word, "0123456789abcdef") == ID_LENGTH;
}

/* To explain an id, the inputs are read, with lint, because the id may be of a hazard. */
static void set_explained_id(struct command *command, const char *id)
{
    struct buf copy = {0};
    buf_puts(&copy, id);
    vec_push(&command->ids, (struct chosen_id){buf_take(&copy), false});
    command->explained_id = id;
    command->lint = true;
    command->level = PTXOPT_NOTE;
}

static void apply_question(struct command *command, enum option_id id, const char *argument)
{
    enum action action = id == OPTION_LIST_RULES         ? ACTION_LIST_RULES
                         : id == OPTION_EXPLAIN          ? ACTION_EXPLAIN
                         : id == OPTION_LIST_ASSUMPTIONS ? ACTION_LIST_ASSUMPTIONS
                         : id == OPTION_HELP             ? ACTION_HELP
                                                         : ACTION_VERSION;
    if (command->action != ACTION_RUN) return;
    command->action = action;
    command->explained = argument;
}

/* Applies options that concern ptxas; passes all others on. */
static bool apply_for_ptxas(struct command *command, enum option_id id, const char *argument,
                            struct buf *error)
{
    switch (id) {
    case OPTION_MAX_REGISTERS: return set_max_registers(command, argument, error);
    case OPTION_NO_SPILL_GROWTH: command->limits.no_spill_growth = true; break;
    case OPTION_KEEP_OCCUPANCY: command->limits.keep_occupancy = true; break;
    case OPTION_SASS: command->sass = true; break;
    case OPTION_STATS: return set_stats(command, argument, error);
    case OPTION_PTXAS: command->ptxas = argument; break;
    case OPTION_PTXAS_TIMEOUT:
        return set_seconds("ptxas-timeout", &command->ptxas_timeout_ms, argument, error);
    case OPTION_EXPLAIN:
        if (is_id(argument))
            set_explained_id(command, argument);
        else
            apply_question(command, id, argument);
        break;
    default: apply_question(command, id, argument); break;
    }
    return true;
}

bool apply_option(struct command *command, enum option_id id, const char *argument,
                  struct buf *error)
{
    switch (id) {
    case OPTION_OUTPUT: return set_output(command, argument, error);
    case OPTION_ANNOTATE: return command_set_style(command, PTXOPT_ANNOTATE, error);
    case OPTION_SQUEEZE: return command_set_style(command, PTXOPT_SQUEEZE, error);
    case OPTION_CERTIFICATE: command_set_certificate(command, argument); break;
    case OPTION_IN_PLACE: command->in_place = true; break;
    case OPTION_CHECK: command->check = true; break;
    case OPTION_JOBS: return set_jobs(command, argument, error);
    case OPTION_KEEP_GOING: command->keep_going = true; break;
    case OPTION_MAX_INPUT: return set_max_input(command, argument, error);
    case OPTION_MAX_MEMORY: return set_max_memory(command, argument, error);
    case OPTION_SERVER: return set_server(command, argument, error);
    case OPTION_SERVER_REQUIRED: command->server_required = true; break;
    case OPTION_CA_FILE: command->ca_file = argument; break;
    case OPTION_CLIENT_CERT: command->client_cert = argument; break;
    case OPTION_CLIENT_KEY: command->client_key = argument; break;
    case OPTION_TIMEOUT: return set_seconds("timeout", &command->timeout_ms, argument, error);
    case OPTION_SET: return set_set(command, argument, error);
    case OPTION_RULES: return command_set_rules(command, argument, error);
    case OPTION_ASSUME: return set_assumption(command, argument, true, error);
    case OPTION_NO_ASSUME: return set_assumption(command, argument, false, error);
    case OPTION_ISA: return command_set_isa(command, argument, error);
    case OPTION_PARSE: return command_set_parse(command, argument, error);
    case OPTION_ONLY: return add_ids(command, "only", argument, ptxopt_options_only, error);
    case OPTION_SKIP: return add_ids(command, "skip", argument, ptxopt_options_skip, error);
    case OPTION_REPORT: return reports_add(&command->reports, argument, error);
    case OPTION_MAX_REPORT: return set_max_report(command, argument, error);
    case OPTION_LOCATE: return set_locate(command, argument, error);
    case OPTION_LINT: command->lint = true; break;
    case OPTION_LINT_LEVEL: return command_set_level(command, argument, error);
    case OPTION_FIX: command->fix = true; break;
    case OPTION_BASELINE: command->baseline_path = argument; break;
    case OPTION_WRITE_BASELINE: command->new_baseline_path = argument; break;
    case OPTION_REMARKS: return set_remarks(command, argument, error);
    case OPTION_COLOR: return set_color(command, argument, error);
    case OPTION_VERBOSE: command->verbose = true; break;
    case OPTION_QUIET: command->quiet = true; break;
    case OPTION_BISECT: command->bisect = true; break;
    case OPTION_DUMP: return set_stage(command, argument, error);
    default: return apply_for_ptxas(command, id, argument, error);
    }
    return true;
}
