/* Parses argv into struct command, with the table of options.c. Each error message says what was
 * expected. It accesses no files: jobs.c finds out whether -o names a directory. */
#include "cli/command.h"

#include <getopt.h>
#include <string.h>

#include "base/bug.h"
#include "base/mem.h"
#include "cli/apply.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "report/format.h"

enum {
    MAX_OPTIONS = 64,
    FIRST_LONG = 256, /* getopt's value for row i is FIRST_LONG + i, for a letter the letter */
};

static const size_t DEFAULT_MAX_INPUT = (size_t)256 << 20;

/* The table in the two forms that getopt needs, each with room for an end mark. */
struct getopt_tables {
    struct option longs[MAX_OPTIONS + OPTION_ALIASES + 1];
    char shorts[2 + 2 * MAX_OPTIONS];
};

/* Whether the option takes an argument, as getopt's constant. */
static int getopt_argument(const struct option_row *row)
{
    if (options_argument_is_optional(row)) return optional_argument;
    return row->argument ? required_argument : no_argument;
}

/* Another name of an option; getopt's value is that of the option's row. */
static struct option alias_of(const struct option_row *rows, const struct option_alias *alias)
{
    int row = 0;
    while (rows[row].id != alias->id) row++;
    return (struct option){alias->name, getopt_argument(&rows[row]), NULL, FIRST_LONG + row};
}

static void fill_tables(struct getopt_tables *tables)
{
    size_t count, n = 0;
    const struct option_row *rows = options_table(&count);
    BUG_UNLESS(count <= MAX_OPTIONS);
    char *letter = tables->shorts;
    *letter++ = ':'; /* makes getopt report a missing argument differently from an unknown option */
    for (size_t i = 0; i < count; i++) {
        if (rows[i].name)
            tables->longs[n++] =
                (struct option){rows[i].name, getopt_argument(&rows[i]), NULL, FIRST_LONG + (int)i};
        if (!rows[i].letter) continue;
        *letter++ = rows[i].letter;
        if (rows[i].argument) *letter++ = ':';
    }
    for (size_t i = 0; i < OPTION_ALIASES; i++)
        tables->longs[n++] = alias_of(rows, &options_aliases[i]);
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

/* Sets error for getopt_long's '?' or ':'. */
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

static void refuse_for_lsp(struct buf *error, const struct option_row *row)
{
    buf_puts(error, "lsp: ");
    options_spelling(error, row);
    buf_puts(error, " cannot be used with lsp; expected ");
    options_lsp_list(error);
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
        if (command->lsp && !options_lsp_takes(row->id)) {
            refuse_for_lsp(error, row);
            return false;
        }
        if (!apply_option(command, row->id, optarg, error)) return false;
    }
}

bool command_writes_text(const struct command *command)
{
    bool lists = command->new_baseline_path && !command->output && !command->in_place &&
                 !command->certificate;
    return !command->check && !command->explained_id && !command->lints_only && !command->bisect &&
           !lists;
}

bool command_reviews(const struct command *command)
{
    return command->reports.count || command->baseline_path || command->new_baseline_path;
}

bool command_prints_text(const struct command *command)
{
    if (!command_writes_text(command) || command->in_place) return false;
    return !command->output || strcmp(command->output, "-") == 0;
}

/* The number of words after "--"; 0 if there is no "--". They are the last words also after getopt
 * has reordered argv. */
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
        buf_puts(error, "--bisect: expected -- and a command after the file");
        return false;
    }
    command->tester = argv + argc - behind;
    command->input_count -= behind;
    if (command->input_count == 1) return true;
    buf_printf(error, "--bisect: expected one file, not %zu", command->input_count);
    return false;
}

static bool asks_ptxas(const struct command *command)
{
    return command->stats || command->sass || limits_exist(&command->limits);
}

static bool check_lint(const struct command *command, struct buf *error)
{
    bool chooses = command->chooses || command->certificate || limits_exist(&command->limits) ||
                   command->new_baseline_path;
    bool good = command->lint || (!command->has_level && !command->fix);
    if (!good)
        buf_printf(error, "--%s: expected --lint, too", command->fix ? "fix" : "lint-level");
    else if (command->fix && chooses)
        buf_puts(error,
                 "--fix removes nothing and writes no baseline: use -O, --rules, --annotate, "
                 "--squeeze, --certificate, --max-registers, --no-spill-growth, "
                 "--keep-occupancy and --write-baseline in another run");
    return good && !(command->fix && chooses);
}

/* Rejects options that exclude each other. */
static bool check_modes(const struct command *command, struct buf *error)
{
    int modes = command->in_place + command->check + command->bisect + (command->output != NULL);
    bool reports = command->reports.count > 0;
    if (command->lsp && command->input_count)
        buf_printf(error, "lsp: expected no file, not '%s': the editor sends the text",
                   command->inputs[0]);
    else if (modes > 1)
        buf_puts(error, "-o, --in-place, --check and --bisect exclude each other");
    else if (command->verbose && command->quiet)
        buf_puts(error, "-v and -q exclude each other");
    else if (command->stage && (reports || command->in_place || command->check || command->bisect))
        buf_puts(error, "--dump cannot be used with --in-place, --check, --bisect or --report");
    else if (command->certificate &&
             (command->stage || command->check || command->bisect || command->input_count > 1))
        buf_puts(error, "--certificate: expected one input, without --dump, --check or --bisect");
    else if (command->bisect && (reports || command->server))
        buf_puts(error, "--bisect cannot be used with --report or --server");
    else if (!command->server && (command->server_required || command->ca_file ||
                                  command->client_cert || command->client_key))
        buf_puts(error,
                 "--server-required, --ca-file, --client-cert and --client-key need --server");
    else if (command->client_key && !command->client_cert)
        buf_puts(error, "--client-key needs --client-cert");
    else if ((command->lint || command->baseline_path || command->new_baseline_path) &&
             (command->bisect || command->stage))
        buf_puts(error, "--lint, --baseline and --write-baseline cannot be used with --bisect "
                        "or --dump");
    else if (command->sass && (command->bisect || command->stage))
        buf_puts(error, "--sass cannot be used with --bisect or --dump");
    else if (limits_exist(&command->limits) && (command->bisect || command->stage))
        buf_puts(error, "--max-registers, --no-spill-growth and --keep-occupancy cannot be used "
                        "with --bisect or --dump");
    else if ((command->ptxas || command->ptxas_timeout_ms) && !asks_ptxas(command))
        buf_printf(error, "--%s: expected --stats, --sass or --max-registers, too",
                   command->ptxas ? "ptxas" : "ptxas-timeout");
    else if (!check_lint(command, error))
        return false;
    else if (command->check && command->new_baseline_path)
        buf_puts(error, "--check and --write-baseline exclude each other: a new baseline accepts "
                        "every finding");
    else
        return reports_check(&command->reports, command_prints_text(command), error);
    return false;
}

/* True if something is printed about what is removed and kept. */
static bool asks_for_remarks(const struct command *command)
{
    return command->lsp || command->remarks || command->stats || command->sass || command->check ||
           command->bisect || command->stage || command->ids.count || command_reviews(command);
}

/* --lint alone removes nothing. The optimizer runs as well only if some option asks for an output
 * or for removals. With --fix, the output is the fixed text. */
static void settle_lint(struct command *command)
{
    bool optimizes = command->chooses || command->output || command->in_place || command->fix ||
                     command->certificate || command->ids.count || command->lsp;
    command->lints_only = command->lint && !optimizes;
    ptxopt_options_set_lint(command->options, command->lint);
    ptxopt_options_set_fix(command->options, command->fix);
    BUG_UNLESS(ptxopt_options_set_lint_level(command->options, command->level));
    if (command->lints_only) BUG_UNLESS(ptxopt_options_set_rules(command->options, "none"));
}

bool command_parse(struct command *command, int argc, char **argv, struct buf *error)
{
    static char dash[] = "-";
    static char *standard_input[] = {dash, NULL};
    size_t behind = count_behind_dashes(argc, argv);
    *command = (struct command){.options = ptxopt_options_new(),
                                .jobs = 1,
                                .max_input = DEFAULT_MAX_INPUT,
                                .max_report = REPORT_MAX_BYTES,
                                .level = PTXOPT_WARNING};
    if (!command->options) mem_exhausted();
    command->lsp = argc > 1 && strcmp(argv[1], "lsp") == 0;
    if (command->lsp) argc--, argv++;
    if (!parse_options(command, argc, argv, error)) return false;
    command->inputs = argv + optind;
    command->input_count = (size_t)(argc - optind);
    if (command->action != ACTION_RUN) return true;
    settle_lint(command);
    if (!check_modes(command, error)) return false;
    if (command->bisect && !take_tester(command, argv, argc, behind, error)) return false;
    if (command->stage) command->parse = PTXOPT_PARSE_FULL; /* only a parsed text has stages */
    ptxopt_options_set_parse(command->options, command->parse);
    ptxopt_options_set_remarks(command->options, asks_for_remarks(command));
    ptxopt_options_set_estimates(command->options, command->stats);
    ptxopt_options_set_steps(command->options, command->remarks || command->check ||
                                                   command->reports.count || command->explained_id);
    if (!command->input_count && !command->lsp) {
        command->inputs = standard_input;
        command->input_count = 1;
        command->implied_input = true;
    }
    return true;
}

void command_free(struct command *command)
{
    ptxopt_options_free(command->options);
    command->options = NULL;
    for (uint32_t i = 0; i < command->ids.count; i++) mem_free(command->ids.at[i].id);
    vec_free(&command->ids);
    baseline_free(&command->baseline);
    vec_free(&command->reports);
    vec_free(&command->assumptions);
}
