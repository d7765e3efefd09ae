/* What was asked for? argv to struct command, by the table of options.c; each refusal says what was
 * expected. Looks at no file: whether -o names a directory is the question of jobs.c. */
#include "cli/command.h"

#include <getopt.h>
#include <stdint.h>
#include <string.h>

#include "base/bug.h"
#include "base/mem.h"
#include "cli/nearest.h"
#include "cli/number.h"
#include "cli/options.h"

enum {
    MAX_OPTIONS = 64,
    MAX_JOBS = 64,
    FIRST_LONG = 256, /* getopt's value of row i is FIRST_LONG + i, of a letter the letter */
};

static const size_t DEFAULT_MAX_INPUT = (size_t)256 << 20, LARGEST_MAX_INPUT = (size_t)1 << 30,
                    LARGEST_MAX_MEMORY = SIZE_MAX >> 16, LARGEST_TIMEOUT_S = 1000000;

/* ", did you mean X?" when there is an X. */
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

static void unknown_rule(struct buf *error, const char *option, const char *id)
{
    size_t count;
    const struct ptxopt_rule *rules = ptxopt_rules(&count);
    struct nearest nearest = nearest_to(id);
    for (size_t i = 0; i < count; i++) nearest_try(&nearest, rules[i].id);
    buf_printf(error, "%s: there is no rule '%s'", option, id);
    add_suggestion(error, &nearest);
    if (!nearest.best) buf_puts(error, ", see --list-rules");
}

static bool set_rules(struct command *command, const char *list, struct buf *error)
{
    if (ptxopt_options_set_rules(command->options, list)) return true;
    for (const char *at = list;; at++) {
        struct buf name = {0};
        size_t len = strcspn(at, ",");
        buf_add(&name, at, len);
        char *id = buf_take(&name);
        bool known = find_rule(id) || strcmp(id, "all") == 0 || strcmp(id, "none") == 0;
        if (!known) unknown_rule(error, "--rules", id);
        mem_free(id);
        if (!known) return false;
        at += len;
        if (!*at) break;
    }
    buf_printf(error, "--rules: expected rule names separated by commas, not '%s'", list);
    return false;
}

static bool set_explain(struct command *command, const char *id, struct buf *error)
{
    command->explain = find_rule(id);
    if (!command->explain) unknown_rule(error, "--explain", id);
    return command->explain != NULL;
}

static bool set_assumption(struct command *command, const char *name, bool on, struct buf *error)
{
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

/* The word's place among words; below 0 it is none, and error says so. */
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

static bool set_parse(struct command *command, const char *how, struct buf *error)
{
    int parse = find_word("parse", options_parses, how, error);
    if (parse >= 0) command->parse = (enum ptxopt_parse)parse;
    return parse >= 0;
}

static bool set_style(struct command *command, enum ptxopt_style wanted, struct buf *error)
{
    if (command->style != PTXOPT_BLANK && command->style != wanted) {
        buf_puts(error, "--annotate and --squeeze exclude each other");
        return false;
    }
    command->style = wanted;
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

static bool set_timeout(struct command *command, const char *text, struct buf *error)
{
    if (number_seconds(text, LARGEST_TIMEOUT_S, &command->timeout_ms) && command->timeout_ms)
        return true;
    buf_printf(error, "--timeout: expected seconds, from 0.001 to %zu, not '%s'", LARGEST_TIMEOUT_S,
               text);
    return false;
}

static bool set_isa(struct command *command, const char *version, struct buf *error)
{
    if (ptxopt_options_set_isa(command->options, version)) return true;
    buf_printf(error, "--isa: expected MAJOR.MINOR, at least 8.6, not '%s'", version);
    return false;
}

static bool set_set(struct command *command, const char *set, struct buf *error)
{
    if (ptxopt_options_set_optimizations(command->options, set)) return true;
    buf_printf(error, "-O: expected tcgen05 or none, not '%s'", set);
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

/* --only and --skip: ids separated by commas. */
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
        vec_push(&command->ids, id);
        list += len;
        if (!*list) return true;
    }
}

static void set_action(struct command *command, enum action action)
{
    if (command->action == ACTION_RUN) command->action = action;
}

static bool apply(struct command *command, enum option_id id, const char *argument,
                  struct buf *error)
{
    switch (id) {
    case OPTION_OUTPUT: return set_output(command, argument, error);
    case OPTION_ANNOTATE: return set_style(command, PTXOPT_ANNOTATE, error);
    case OPTION_SQUEEZE: return set_style(command, PTXOPT_SQUEEZE, error);
    case OPTION_CERTIFICATE:
        command->certificate = argument;
        ptxopt_options_set_certificate(command->options, true);
        break;
    case OPTION_IN_PLACE: command->in_place = true; break;
    case OPTION_CHECK: command->check = true; break;
    case OPTION_JOBS: return set_jobs(command, argument, error);
    case OPTION_KEEP_GOING: command->keep_going = true; break;
    case OPTION_MAX_INPUT: return set_max_input(command, argument, error);
    case OPTION_MAX_MEMORY: return set_max_memory(command, argument, error);
    case OPTION_TIMEOUT: return set_timeout(command, argument, error);
    case OPTION_SET: return set_set(command, argument, error);
    case OPTION_RULES: return set_rules(command, argument, error);
    case OPTION_ASSUME: return set_assumption(command, argument, true, error);
    case OPTION_NO_ASSUME: return set_assumption(command, argument, false, error);
    case OPTION_ISA: return set_isa(command, argument, error);
    case OPTION_PARSE: return set_parse(command, argument, error);
    case OPTION_ONLY: return add_ids(command, "only", argument, ptxopt_options_only, error);
    case OPTION_SKIP: return add_ids(command, "skip", argument, ptxopt_options_skip, error);
    case OPTION_REPORT: return reports_add(&command->reports, argument, error);
    case OPTION_REMARKS: command->remarks = true; break;
    case OPTION_STATS: command->stats = true; break;
    case OPTION_BISECT: command->bisect = true; break;
    case OPTION_DUMP: return set_stage(command, argument, error);
    case OPTION_LIST_RULES: set_action(command, ACTION_LIST_RULES); break;
    case OPTION_EXPLAIN:
        set_action(command, ACTION_EXPLAIN);
        return set_explain(command, argument, error);
    case OPTION_LIST_ASSUMPTIONS: set_action(command, ACTION_LIST_ASSUMPTIONS); break;
    case OPTION_HELP: set_action(command, ACTION_HELP); break;
    case OPTION_VERSION: set_action(command, ACTION_VERSION); break;
    }
    return true;
}

/* getopt's two forms of the table, with room for the end mark of each. */
struct getopt_tables {
    struct option longs[MAX_OPTIONS + 1];
    char shorts[2 + 2 * MAX_OPTIONS];
};

static void fill_tables(struct getopt_tables *tables)
{
    size_t count, n = 0;
    const struct option_row *rows = options_table(&count);
    BUG_UNLESS(count <= MAX_OPTIONS);
    char *letter = tables->shorts;
    *letter++ = ':'; /* a missing argument is told apart from an unknown option */
    for (size_t i = 0; i < count; i++) {
        if (rows[i].name)
            tables->longs[n++] =
                (struct option){rows[i].name, rows[i].argument ? required_argument : no_argument,
                                NULL, FIRST_LONG + (int)i};
        if (!rows[i].letter) continue;
        *letter++ = rows[i].letter;
        if (rows[i].argument) *letter++ = ':';
    }
    tables->longs[n] = (struct option){0};
    *letter = '\0';
}

static const struct option_row *find_row(int value)
{
    size_t count;
    const struct option_row *rows = options_table(&count);
    if (value >= FIRST_LONG) return &rows[value - FIRST_LONG];
    for (size_t i = 0; i < count; i++)
        if (value && rows[i].letter == value) return &rows[i];
    return NULL;
}

static void unknown_option(struct buf *error, const char *word)
{
    size_t count;
    const struct option_row *rows = options_table(&count);
    struct buf name = {0};
    buf_add(&name, word + 2, strcspn(word + 2, "="));
    char *wanted = buf_take(&name);
    struct nearest nearest = nearest_to(wanted);
    for (size_t i = 0; i < count; i++)
        if (rows[i].name) nearest_try(&nearest, rows[i].name);
    buf_printf(error, "there is no option '--%s'", wanted);
    if (nearest.best) buf_printf(error, ", did you mean '--%s'?", nearest.best);
    mem_free(wanted);
}

/* Says what getopt_long's '?' or ':' was about. */
static void refuse_option(struct buf *error, int verdict, const char *word)
{
    const struct option_row *row = find_row(optopt);
    struct buf spelling = {0};
    if (row) options_spelling(&spelling, row);
    char *name = buf_take(&spelling);
    if (!row && optopt)
        buf_printf(error, "there is no option '-%c'", optopt);
    else if (!row)
        unknown_option(error, word);
    else if (verdict == ':')
        buf_printf(error, "%s: %s is missing", name, row->argument);
    else
        buf_printf(error, "%s takes no argument", name);
    mem_free(name);
}

static bool parse_options(struct command *command, int argc, char **argv, struct buf *error)
{
    struct getopt_tables tables;
    fill_tables(&tables);
    opterr = 0;
    for (;;) {
        int value = getopt_long(argc, argv, tables.shorts, tables.longs, NULL);
        if (value == -1) return true;
        if (value == '?' || value == ':') {
            refuse_option(error, value, argv[optind - 1]);
            return false;
        }
        const struct option_row *row = find_row(value);
        BUG_UNLESS(row);
        if (!apply(command, row->id, optarg, error)) return false;
    }
}

bool command_prints_text(const struct command *command)
{
    if (command->check || command->in_place || command->bisect) return false;
    return !command->output || strcmp(command->output, "-") == 0;
}

/* The words behind "--" are the last ones, also after getopt has sorted argv: their number is all
 * that has to be known. 0 when there is no "--". */
static size_t count_behind_dashes(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--") == 0) return (size_t)(argc - i - 1);
    return 0;
}

static bool take_tester(struct command *command, char **argv, int argc, size_t behind,
                        struct buf *error)
{
    if (!behind || behind > command->input_count) {
        buf_puts(error, "--bisect: expected -- and a command behind the file");
        return false;
    }
    command->tester = argv + argc - behind;
    command->input_count -= behind;
    if (command->input_count == 1) return true;
    buf_printf(error, "--bisect: expected one file, not %zu", command->input_count);
    return false;
}

/* Refuses what does not go together. */
static bool check_modes(const struct command *command, struct buf *error)
{
    int modes = command->in_place + command->check + command->bisect + (command->output != NULL);
    bool reports = command->reports.count > 0;
    if (modes > 1)
        buf_puts(error, "-o, --in-place, --check and --bisect exclude each other");
    else if (command->stage && (reports || command->in_place || command->check || command->bisect))
        buf_puts(error, "--dump goes with none of --in-place, --check, --bisect and --report");
    else if (command->certificate &&
             (command->stage || command->check || command->bisect || command->input_count > 1))
        buf_puts(error, "--certificate: expected one input, without --dump, --check or --bisect");
    else if (command->bisect && reports)
        buf_puts(error, "--bisect writes no report");
    else
        return reports_check(&command->reports, command_prints_text(command), error);
    return false;
}

bool command_parse(struct command *command, int argc, char **argv, struct buf *error)
{
    static char dash[] = "-";
    static char *standard_input[] = {dash, NULL};
    size_t behind = count_behind_dashes(argc, argv);
    *command = (struct command){
        .options = ptxopt_options_new(), .jobs = 1, .max_input = DEFAULT_MAX_INPUT};
    if (!command->options) mem_exhausted();
    if (!parse_options(command, argc, argv, error)) return false;
    command->inputs = argv + optind;
    command->input_count = (size_t)(argc - optind);
    if (command->action != ACTION_RUN) return true;
    if (!check_modes(command, error)) return false;
    if (command->bisect && !take_tester(command, argv, argc, behind, error)) return false;
    if (command->stage) command->parse = PTXOPT_PARSE_FULL; /* a stage is of a text that is read */
    ptxopt_options_set_parse(command->options, command->parse);
    ptxopt_options_set_steps(command->options, command->reports.count > 0);
    if (!command->input_count) {
        command->inputs = standard_input;
        command->input_count = 1;
    }
    return true;
}

void command_free(struct command *command)
{
    ptxopt_options_free(command->options);
    command->options = NULL;
    for (uint32_t i = 0; i < command->ids.count; i++) mem_free(command->ids.at[i]);
    vec_free(&command->ids);
    vec_free(&command->reports);
}
