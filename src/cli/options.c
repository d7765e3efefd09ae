/* The table of options, and --help. A new option is a row here and a case in apply.c; nothing else
 * lists options. */
#include "cli/options.h"

#include <string.h>

#include "api/ptxopt.h"
#include "base/mem.h"
#include "base/wrap.h"
#include "cli/reports.h"
#include "report/format.h"

#define OUTPUT "Output"
#define RULES "What to remove"
#define LINT "Missing synchronisation"
#define REPORTS "Reports"
#define INQUIRY "Information"

static const struct option_row table[] = {
    {OPTION_OUTPUT, 'o', "output", "FILE", COMPLETE_PTX_FILE, OUTPUT,
     "write to FILE, or to the input's name in the directory FILE/, which is created if missing; - "
     "is standard output"},
    {OPTION_ANNOTATE, 0, "annotate", NULL, COMPLETE_NOTHING, OUTPUT,
     "leave a comment in place of each removed instruction: the rule, the id for reports and "
     "--skip, and the instruction"},
    {OPTION_SQUEEZE, 0, "squeeze", NULL, COMPLETE_NOTHING, OUTPUT,
     "remove the lines that become empty; by default the line count stays the same"},
    {OPTION_CERTIFICATE, 0, "certificate", "FILE", COMPLETE_FILE, OUTPUT,
     "also write the proof to FILE, for ptxopt-verify (one input)"},
    {OPTION_IN_PLACE, 0, "in-place", NULL, COMPLETE_NOTHING, OUTPUT,
     "replace each input by its result, in one step, and name it on standard error; files that "
     "do not change are not written"},
    {OPTION_CHECK, 0, "check", NULL, COMPLETE_NOTHING, OUTPUT,
     "write no PTX; print what is redundant to standard error, unless a report prints it; exit "
     "with status 1 if something is redundant (--lint alone does not look for that), if --lint "
     "finds an error, or if --fix would insert something"},
    {OPTION_JOBS, 'j', "jobs", "N", COMPLETE_NOTHING, OUTPUT,
     "use N threads (default 1), for several files or for the functions of a large one; the "
     "output is the same"},
    {OPTION_KEEP_GOING, 0, "keep-going", NULL, COMPLETE_NOTHING, OUTPUT,
     "copy input that is not PTX unchanged, with warnings instead of errors"},
    {OPTION_MAX_INPUT, 0, "max-input", "BYTES", COMPLETE_NOTHING, OUTPUT,
     "refuse larger inputs; K, M or G may follow (default 256M, at most 1G)"},
    {OPTION_MAX_MEMORY, 0, "max-memory", "BYTES", COMPLETE_NOTHING, OUTPUT,
     "refuse inputs that need more memory at once; 0 for no limit (default: 64M plus 128 times "
     "the size of the input)"},
    {OPTION_TIMEOUT, 0, "timeout", "SECONDS", COMPLETE_NOTHING, OUTPUT,
     "stop working on an input after this time, as 2 or 0.5 (default: never)"},
    {OPTION_SERVER, 0, "server", "URL", COMPLETE_NOTHING, OUTPUT,
     "use the ptxoptd at URL (http://HOST, https://HOST or unix:PATH) and prove its answer; "
     "what it cannot do is done locally"},
    {OPTION_SERVER_REQUIRED, 0, "server-required", NULL, COMPLETE_NOTHING, OUTPUT,
     "with --server: write no output for an input for which the server was not used, and exit "
     "with status 69"},
    {OPTION_CA_FILE, 0, "ca-file", "FILE", COMPLETE_FILE, OUTPUT,
     "PEM certificates of authorities for --server, instead of the system's"},
    {OPTION_CLIENT_CERT, 0, "client-cert", "FILE", COMPLETE_FILE, OUTPUT,
     "PEM certificate for --server, with its key unless --client-key is given"},
    {OPTION_CLIENT_KEY, 0, "client-key", "FILE", COMPLETE_FILE, OUTPUT, "PEM key of --client-cert"},
    {OPTION_SET, 'O', NULL, "SET", COMPLETE_SET, RULES,
     "the optimizations to make: tcgen05 (default) or none"},
    {OPTION_RULES, 0, "rules", "LIST", COMPLETE_RULE_LIST, RULES,
     "use only these rules, separated by commas, or all, or none"},
    {OPTION_ASSUME, 0, "assume", "NAME", COMPLETE_ASSUMPTION, RULES,
     "proofs may use this assumption (may be repeated)"},
    {OPTION_NO_ASSUME, 0, "no-assume", "NAME", COMPLETE_ASSUMPTION, RULES,
     "proofs may not use this assumption (may be repeated)"},
    {OPTION_ISA, 0, "isa", "VERSION", COMPLETE_NOTHING, RULES,
     "use this version of the PTX ISA, such as 9.0, instead of the file's .version; for an unknown "
     "version, use only what every known version guarantees"},
    {OPTION_PARSE, 0, "parse", "HOW", COMPLETE_PARSE, RULES,
     "shapes (default): parse what the rules need, and without --lint copy a text that contains "
     "neither tcgen05 nor .proxy without parsing it; full: parse everything and refuse what is "
     "not PTX"},
    {OPTION_ONLY, 0, "only", "ID", COMPLETE_NOTHING, RULES,
     "make only the edit with this id from a report; more ids separated by commas, or repeat "
     "the option"},
    {OPTION_SKIP, 0, "skip", "ID", COMPLETE_NOTHING, RULES,
     "do not make the edit with this id; more ids separated by commas, or repeat the option"},
    {OPTION_MAX_REGISTERS, 0, "max-registers", "N", COMPLETE_NOTHING, RULES,
     "keep an instruction if without it a kernel takes more than N registers a thread, and more "
     "than before; runs ptxas, perhaps several times"},
    {OPTION_NO_SPILL_GROWTH, 0, "no-spill-growth", NULL, COMPLETE_NOTHING, RULES,
     "keep an instruction if without it a kernel spills more bytes than before (see "
     "--max-registers)"},
    {OPTION_KEEP_OCCUPANCY, 0, "keep-occupancy", NULL, COMPLETE_NOTHING, RULES,
     "keep an instruction if without it fewer warps of a kernel fit on an SM, by their "
     "registers (see --max-registers)"},
    {OPTION_LINT, 0, "lint", NULL, COMPLETE_NOTHING, LINT,
     "print missing synchronisation to standard error; remove nothing and write no PTX, unless "
     "an option asks for an output (-o, --in-place, --certificate) or selects what to remove "
     "(-O, --rules, --only, --skip, --annotate, --squeeze)"},
    {OPTION_LINT_LEVEL, 0, "lint-level", "LEVEL", COMPLETE_LEVEL, LINT,
     "the lowest level to report: error, warning (default) or note; if given, --check exits "
     "with status 1 for each reported finding, otherwise for errors"},
    {OPTION_FIX, 0, "fix", NULL, COMPLETE_NOTHING, LINT,
     "with --lint: write the PTX with instructions inserted that correct the findings, where a "
     "finding needs one instruction at one place; remove nothing; print what was inserted, and why "
     "the other findings were not fixed; --only and --skip then select findings"},
    {OPTION_REPORT, 0, "report", "FORMAT[=FILE]", COMPLETE_REPORT, REPORTS,
     "write a report to FILE, else to standard output or, if the PTX goes there, standard error "
     "(may be repeated): {formats}"},
    {OPTION_MAX_REPORT, 0, "max-report", "BYTES", COMPLETE_NOTHING, REPORTS,
     "refuse to write a report of more than this, as 65536, 64M or 1G (default: 256M)"},
    {OPTION_LOCATE, 0, "locate", "WHERE", COMPLETE_LOCATE, REPORTS,
     "the place of a finding: both (the default: messages name the CUDA line, which needs nvcc "
     "-lineinfo, and the PTX line; reports use the PTX line), ptx, or source: the CUDA line of the "
     "call site, in messages and in the reports {source}"},
    {OPTION_BASELINE, 0, "baseline", "FILE", COMPLETE_FILE, REPORTS,
     "accept the findings listed in FILE: they do not fail --check, and only the reports json, "
     "ndjson and sarif contain them; print the entries of FILE that are no longer found "
     "(--lint-baseline is the same)"},
    {OPTION_WRITE_BASELINE, 0, "write-baseline", "FILE", COMPLETE_FILE, REPORTS,
     "write the list of findings to FILE; write no PTX, unless an option asks for an output "
     "(--write-lint-baseline is the same)"},
    {OPTION_REMARKS, 0, "remarks", "[=full]", COMPLETE_NOTHING, REPORTS,
     "print a line for each candidate, removed or kept, with the reason, to standard error; full: "
     "below each line, and below each finding of lint, print the proof or the path"},
    {OPTION_STATS, 0, "stats", "[=no-sass]", COMPLETE_NOTHING, REPORTS,
     "count the removed instructions, the bytes before and after, the time that ptxopt took and, "
     "with ptxas on PATH, machine instructions and registers, also in reports; name the kernels "
     "whose registers, spills or occupancy got worse; no-sass does not run ptxas"},
    {OPTION_SASS, 0, "sass", NULL, COMPLETE_NOTHING, REPORTS,
     "assemble with ptxas and show the change in the machine code for each removed instruction, "
     "on standard error or in the reports {sass}; with nvdisasm on PATH or beside ptxas, also "
     "the code before and after side by side (- removed, + new, ~ moved); with --lint, say for "
     "published-incomplete whether the hazard is live in this machine code or only sleeping"},
    {OPTION_PTXAS, 0, "ptxas", "PROGRAM", COMPLETE_FILE, REPORTS,
     "the ptxas for --stats, --sass and --max-registers, such as that of Triton, instead of the "
     "one on PATH"},
    {OPTION_PTXAS_TIMEOUT, 0, "ptxas-timeout", "SECONDS", COMPLETE_NOTHING, REPORTS,
     "stop ptxas when its runs for an input have taken this time, as 30 or 0.5 (default: "
     "never); figures are then unknown, and instructions whose cost is unknown are kept"},
    {OPTION_COLOR, 0, "color", "WHEN", COMPLETE_COLOR, REPORTS,
     "colour findings, remarks and the report text, except in files: auto (default: "
     "on a terminal, unless NO_COLOR is set or TERM is dumb), always or never"},
    {OPTION_VERBOSE, 'v', "verbose", NULL, COMPLETE_NOTHING, REPORTS,
     "print to standard error the version and, for each input, the result and its file"},
    {OPTION_QUIET, 'q', "quiet", NULL, COMPLETE_NOTHING, REPORTS,
     "print only errors and what other options ask for; the exit status still tells what --check "
     "found"},
    {OPTION_BISECT, 0, "bisect", NULL, COMPLETE_NOTHING, INQUIRY,
     "find the edit that makes the command after -- fail; {} in the command is replaced by "
     "the file to test; without {}, the file is its last argument; exit status 125 of the command "
     "means that it cannot test the file (git bisect's skip)"},
    {OPTION_DUMP, 0, "dump", "STAGE", COMPLETE_STAGE, INQUIRY,
     "write this stage of the analysis instead of PTX: cst, view, cfg, facts, plan or roles"},
    {OPTION_LIST_RULES, 0, "list-rules", NULL, COMPLETE_NOTHING, INQUIRY,
     "list the rules and what they remove, and the codes of --lint"},
    {OPTION_EXPLAIN, 0, "explain", "WORD", COMPLETE_WORD, INQUIRY,
     "explain a rule (when it applies, and why that is sound), a reason to keep, an assumption "
     "or a code of --lint; all: every one of them; the id of a finding: the proof or the path of "
     "that finding in the input"},
    {OPTION_LIST_ASSUMPTIONS, 0, "list-assumptions", NULL, COMPLETE_NOTHING, INQUIRY,
     "list the assumptions and their defaults"},
    {OPTION_HELP, 'h', "help", NULL, COMPLETE_NOTHING, INQUIRY, "print this and exit"},
    {OPTION_VERSION, 'V', "version", NULL, COMPLETE_NOTHING, INQUIRY,
     "print the version and the licence and exit"},
};

const char *const options_stages[] = {"cst", "view", "cfg", "facts", "plan", "roles", NULL};
const char *const options_parses[] = {
    [PTXOPT_PARSE_SHAPES] = "shapes", [PTXOPT_PARSE_FULL] = "full", NULL};
const char *const options_levels[] = {"error", "warning", "note", NULL};
const char *const options_colors[] = {
    [REPORTS_AUTO] = "auto", [REPORTS_ALWAYS] = "always", [REPORTS_NEVER] = "never", NULL};
const char *const options_locates[] = {
    [LOCATE_BOTH] = "both", [LOCATE_PTX] = "ptx", [LOCATE_SOURCE] = "source", NULL};
const char *const options_sets[] = {"tcgen05", "none", NULL};

bool options_lsp_takes(enum option_id id)
{
    switch (id) {
    case OPTION_MAX_INPUT:
    case OPTION_MAX_MEMORY:
    case OPTION_TIMEOUT:
    case OPTION_SET:
    case OPTION_RULES:
    case OPTION_ASSUME:
    case OPTION_NO_ASSUME:
    case OPTION_ISA:
    case OPTION_PARSE:
    case OPTION_LINT:
    case OPTION_LINT_LEVEL:
    case OPTION_LIST_RULES:
    case OPTION_EXPLAIN:
    case OPTION_LIST_ASSUMPTIONS:
    case OPTION_HELP:
    case OPTION_VERSION: return true;
    default: return false;
    }
}

void options_lsp_list(struct buf *out)
{
    const char *comma = "";
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (!options_lsp_takes(table[i].id) || strcmp(table[i].group, INQUIRY) == 0) continue;
        if (table[i].name)
            buf_printf(out, "%s--%s", comma, table[i].name);
        else
            buf_printf(out, "%s-%c", comma, table[i].letter);
        comma = ", ";
    }
}

const struct option_alias options_aliases[OPTION_ALIASES] = {
    {"lint-baseline", OPTION_BASELINE},
    {"write-lint-baseline", OPTION_WRITE_BASELINE},
};

bool options_argument_is_optional(const struct option_row *row)
{
    return row->argument && row->argument[0] == '[';
}

const struct option_row *options_table(size_t *count)
{
    *count = sizeof table / sizeof table[0];
    return table;
}

void options_spelling(struct buf *out, const struct option_row *row)
{
    if (row->letter) {
        buf_printf(out, "-%c", row->letter);
        if (row->argument) buf_printf(out, " %s", row->argument);
    }
    if (row->letter && row->name) buf_puts(out, ", ");
    if (row->name) {
        buf_printf(out, "--%s", row->name);
        bool optional = options_argument_is_optional(row);
        if (row->argument) buf_printf(out, "%s%s", optional ? "" : "=", row->argument);
    }
}

void options_help_text(struct buf *out, const struct option_row *row)
{
    static const struct {
        const char *mark, *before_last;
        unsigned traits;
    } lists[] = {
        {"{formats}", " or ", 0},
        {"{sass}", " and ", REPORT_HAS_SASS},
        {"{source}", " and ", REPORT_TAKES_SOURCE},
    };
    for (const char *at = row->help; *at;) {
        size_t i = 0, count = sizeof lists / sizeof *lists;
        while (i < count && strncmp(at, lists[i].mark, strlen(lists[i].mark)) != 0) i++;
        if (i < count) {
            report_formats_name(out, lists[i].traits, lists[i].before_last);
            at += strlen(lists[i].mark);
        } else {
            buf_putc(out, *at++);
        }
    }
}

static void add_help_row(struct buf *out, const struct option_row *row)
{
    enum { INDENT = 26 };
    size_t start = out->len;
    buf_puts(out, row->letter ? "  " : "      ");
    options_spelling(out, row);
    size_t width = out->len - start;
    if (width + 1 > INDENT)
        buf_printf(out, "\n%*s", INDENT, "");
    else
        buf_printf(out, "%*s", (int)(INDENT - width), "");
    struct buf help = {0};
    options_help_text(&help, row);
    char *text = buf_take(&help);
    wrap_add(out, str_from(text), INDENT);
    mem_free(text);
}

static void add_lsp(struct buf *out)
{
    struct buf text = {0};
    buf_puts(&text, "ptxopt lsp is a language server for editors, on standard input and output. It "
                    "takes the options ");
    options_lsp_list(&text);
    buf_puts(&text, ". Write ./lsp for a file named lsp.");
    char *words = buf_take(&text);
    wrap_add(out, str_from(words), 0);
    mem_free(words);
}

void options_usage(struct buf *out)
{
    buf_puts(out, "Usage: ptxopt [OPTION]... [FILE|DIR|-]...\n"
                  "       ptxopt lsp [OPTION]...\n");
}

void options_help(struct buf *out)
{
    options_usage(out);
    buf_puts(out,
             "Removes from PTX the tcgen05 waits and fences, and the proxy fences, that it\n"
             "proves redundant. It also removes blanks that would then end a line, and\n"
             "by default changes no other byte. Without FILE, or with -, it reads standard input;\n"
             "without -o it writes standard output.\n");
    add_lsp(out);
    const char *group = "";
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(group, table[i].group) != 0) {
            group = table[i].group;
            buf_printf(out, "\n%s:\n", group);
        }
        add_help_row(out, &table[i]);
    }
    buf_putc(out, '\n');
    wrap_add(out,
             str_from("Exit status: 0 done, 1 --check found something or --bisect found nothing, 2 "
                      "bad input or usage, or a limit was reached, 69 --server-required and no "
                      "server, 70 out of memory or internal error."),
             0);
}
