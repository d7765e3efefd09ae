/* The program ptxopt: removes tcgen05 waits and fences that are proven redundant from a PTX text.
 * Parses the command line, then prints information about the program or runs the jobs. */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "cli/baselines.h"
#include "cli/bisect.h"
#include "cli/command.h"
#include "cli/explain.h"
#include "cli/jobs.h"
#include "cli/options.h"
#include "cli/output.h"
#include "lsp/lsp.h"
#include "report/json.h"

static const char try_help[] = "; try 'ptxopt --help'";

static int main_fail(struct buf *error, const char *hint)
{
    char *text = buf_take(error);
    fprintf(stderr, "ptxopt: %s%s\n", text, hint);
    mem_free(text);
    return EXIT_USAGE;
}

enum { NAME_WIDTH = 20 };

/* Adds "removes INSTRUCTIONS", or that the rule only advises. */
static void add_verb(struct buf *out, const struct ptxopt_rule *rule)
{
    if (rule->advice)
        buf_puts(out, "advises, removes nothing");
    else
        buf_printf(out, "removes %s", rule->deletes);
}

static void main_add_section(struct buf *out, const char *section)
{
    if (*section) buf_printf(out, " (PTX ISA %s)", section);
    buf_putc(out, '\n');
}

static void list_rules(struct buf *out)
{
    size_t count;
    const struct ptxopt_rule *rules = ptxopt_rules(&count);
    for (size_t i = 0; i < count; i++) {
        buf_printf(out, "%-*s ", NAME_WIDTH, rules[i].id);
        add_verb(out, &rules[i]);
        buf_printf(out, "\n%-*s %s\n", NAME_WIDTH, "", rules[i].summary);
    }
}

static void list_codes(struct buf *out)
{
    size_t count;
    const struct ptxopt_lint_code *codes = ptxopt_lint_codes(&count);
    for (size_t i = 0; i < count; i++)
        buf_printf(out, "%-*s reported by --lint\n%-*s %s\n", NAME_WIDTH, codes[i].id, NAME_WIDTH,
                   "", codes[i].summary);
}

static void list_assumptions(struct buf *out)
{
    size_t count;
    const struct ptxopt_assumption *assumptions = ptxopt_assumptions(&count);
    for (size_t i = 0; i < count; i++) {
        buf_printf(out, "%-*s %-4s %s", NAME_WIDTH, assumptions[i].name,
                   assumptions[i].on_by_default ? "on" : "off", assumptions[i].summary);
        main_add_section(out, assumptions[i].isa_section);
    }
}

static void main_show_version(struct buf *out)
{
    buf_printf(out, "ptxopt %s (build %s)\nApache License, version 2.0. There is no warranty.\n",
               ptxopt_version(), ptxopt_build());
}

static int answer_question(const struct command *command)
{
    struct buf out = {0}, reason = {0}, line = {0};
    switch (command->action) {
    case ACTION_RUN: break;
    case ACTION_LIST_RULES:
        list_rules(&out);
        list_codes(&out);
        break;
    case ACTION_EXPLAIN:
        if (!explain_word(&out, command->explained, &line)) return main_fail(&line, "");
        break;
    case ACTION_LIST_ASSUMPTIONS: list_assumptions(&out); break;
    case ACTION_HELP: options_help(&out); break;
    case ACTION_VERSION: main_show_version(&out); break;
    }
    int status = 0;
    if (!output_write("-", out.data, out.len, &reason)) {
        buf_puts(&line, "<stdout>: ");
        buf_add(&line, reason.data, reason.len);
        status = main_fail(&line, "");
    }
    buf_free(&reason);
    buf_free(&out);
    return status;
}

/* A user who starts the program at a terminal without naming a file most likely does not want to
 * type PTX. */
static int refuse_terminal(void)
{
    struct buf usage = {0}, error = {0};
    options_usage(&usage);
    (void)file_write_all(STDERR_FILENO, usage.data, usage.len);
    buf_free(&usage);
    buf_puts(&error, "standard input is a terminal: expected a file, as in 'ptxopt in.ptx -o "
                     "out.ptx', or - to read the terminal");
    return main_fail(&error, try_help);
}

static void say_version(const struct command *command)
{
    if (command->verbose)
        fprintf(stderr, "ptxopt: version %s (build %s)\n", ptxopt_version(), ptxopt_build());
}

static int run_command(const struct command *command)
{
    struct job_list jobs = {0};
    struct buf error = {0}, messages = {0};
    int status;
    say_version(command);
    if (command->bisect) return bisect_run(command, command->inputs[0]);
    if (jobs_plan(&jobs, command, &error)) {
        status = jobs_run(&jobs, command);
        int reported = jobs_report(&jobs, command, &messages);
        if (reported > status) status = reported;
        (void)file_write_all(STDERR_FILENO, messages.data, messages.len);
        buf_free(&messages);
    } else {
        status = main_fail(&error, try_help);
    }
    jobs_free(&jobs);
    return status;
}

/* Reuses the memory of one file for the next, because returning a page to the system and requesting
 * it again costs more than much of the work on it. */
static void keep_memory(void)
{
#ifdef M_TRIM_THRESHOLD
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TOP_PAD, 1 << 20);
#endif
}

/* Runs the language server until the editor ends it. */
static int serve_editor(const struct command *command)
{
    struct buf error = {0};
    struct lsp_settings settings = {command->options, command->max_input, command->timeout_ms};
    int status = lsp_run(&settings, STDIN_FILENO, STDOUT_FILENO, &error);
    return error.len ? main_fail(&error, "") : status;
}

int main(int argc, char **argv)
{
    struct command command;
    struct buf error = {0};
    int status;
    keep_memory();
    output_prepare();
    json_use_work();
    if (!command_parse(&command, argc, argv, &error))
        status = main_fail(&error, try_help);
    else if (command.action != ACTION_RUN)
        status = answer_question(&command);
    else if (command.lsp)
        status = serve_editor(&command);
    else if (command.implied_input && isatty(STDIN_FILENO) == 1)
        status = refuse_terminal();
    else if (!baselines_load(&command, &error))
        status = main_fail(&error, "");
    else
        status = run_command(&command);
    command_free(&command);
    return status;
}
