/* Prints the sections of ptxopt.1 that describe options, reports, rules, reasons, codes and
 * assumptions. They are generated from the tables of the programs, so none is missing; doc/man has
 * the other sections. Also prints the completion of a program for a shell (completion.c). Not
 * installed. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/file.h"
#include "cli/completion.h"
#include "cli/options.h"
#include "api/ptxopt.h"
#include "report/format.h"

/* ---- the manual page ---- */

/* Adds text so that roff prints it unchanged; a line break is kept. */
static void add_roff(struct buf *out, const char *text)
{
    bool start = true;
    for (; *text; text++) {
        if (start && (*text == '.' || *text == '\'')) buf_puts(out, "\\&");
        start = *text == '\n';
        if (*text == '\\')
            buf_puts(out, "\\e");
        else if (*text == '-')
            buf_puts(out, "\\-");
        else
            buf_putc(out, *text);
    }
}

static void man_add_term(struct buf *out, const char *term)
{
    buf_puts(out, ".TP\n.B ");
    add_roff(out, term);
    buf_putc(out, '\n');
}

static void man_options(struct buf *out)
{
    size_t count;
    const struct option_row *rows = options_table(&count);
    const char *group = "";
    for (size_t i = 0; i < count; i++) {
        struct buf spelling = {0};
        if (strcmp(group, rows[i].group) != 0) buf_printf(out, ".SS %s\n", rows[i].group);
        group = rows[i].group;
        options_spelling(&spelling, &rows[i]);
        char *term = buf_take(&spelling);
        man_add_term(out, term);
        mem_free(term);
        struct buf help = {0};
        options_help_text(&help, &rows[i]);
        char *text = buf_take(&help);
        add_roff(out, text);
        mem_free(text);
        buf_puts(out, ".\n");
    }
}

static void add_summary(struct buf *out, const char *summary, const char *section)
{
    add_roff(out, summary);
    if (*section) buf_puts(out, " (PTX ISA ");
    add_roff(out, section);
    buf_puts(out, *section ? ").\n" : ".\n");
}

static void man_rules(struct buf *out)
{
    size_t count;
    const struct ptxopt_rule *rules = ptxopt_rules(&count);
    buf_puts(out, ".SH RULES\n.B \\-\\-explain\nprints each rule in full.\n");
    for (size_t i = 0; i < count; i++) {
        man_add_term(out, rules[i].id);
        add_roff(out, rules[i].advice ? "Advises, removes nothing" : "Removes ");
        if (!rules[i].advice) add_roff(out, rules[i].deletes);
        buf_puts(out, ":\n");
        add_summary(out, rules[i].summary, rules[i].isa_section);
    }
}

static void man_reasons(struct buf *out)
{
    size_t count;
    const struct ptxopt_reason *reasons = ptxopt_reasons(&count);
    buf_puts(out, ".SH REASONS\nWhy a candidate, or all candidates of a function, are kept.\n.B "
                  "\\-\\-explain\n"
                  "explains each, and what you can do.\n");
    for (size_t i = 0; i < count; i++) {
        man_add_term(out, reasons[i].word);
        add_summary(out, reasons[i].summary, "");
    }
}

static void man_codes(struct buf *out)
{
    size_t count;
    const struct ptxopt_lint_code *codes = ptxopt_lint_codes(&count);
    buf_puts(
        out,
        ".SH LINT\nThe hazards that\n.B \\-\\-lint\nlooks for. A comment (see\n.BR COMMENTS )\n"
        "accepts the findings on its line; a file given with\n.B \\-\\-baseline\naccepts the "
        "findings that it lists.\n");
    for (size_t i = 0; i < count; i++) {
        man_add_term(out, codes[i].id);
        add_summary(out, codes[i].summary, codes[i].isa_section);
    }
}

static void man_comments(struct buf *out)
{
    buf_puts(out, ".SH COMMENTS\nA comment in the PTX (// or /* */) that begins with\n"
                  ".I ptxopt:\napplies to the instructions on its line. On a line without an "
                  "instruction it applies to the next instruction.\n");
    man_add_term(out, "ptxopt: keep");
    buf_puts(out, "Keeps the instructions; other edits are proven with them present.\n");
    man_add_term(out, "ptxopt: keep RULE, RULE -- REASON");
    buf_puts(out, "Keeps them from these rules; other rules may remove them.\n");
    man_add_term(out, "ptxopt: keep-next");
    buf_puts(out, "Keeps the next instruction; on a line with an instruction, the one after it.\n");
    man_add_term(out, "ptxopt: ignore[CODE, CODE] REASON");
    buf_puts(out,
             "Accepts the findings of\n.B \\-\\-lint\nat the instructions, if their code is one of "
             "these; without brackets, all findings there.\n");
}

static const char man_cuda_lines[] =
    ".PP\n"
    "The CUDA line (nvcc \\-lineinfo) is the call site in the kernel, followed by\n"
    "the inlined functions. With\n"
    ".B \\-\\-locate=source\n"
    "findings are placed at that line, and the PTX line comes second. A fix always\n"
    "edits the PTX: SARIF names that file, and rdjson has no fix for a finding that is\n"
    "placed at a CUDA line. For a CUDA file\n"
    "below the current directory SARIF contains the lines around the finding, and the\n"
    "hash by which GitHub recognises a line.\n"
    ".PP\n"
    "Copies of one instruction, made by unrolling, have the same CUDA line and the\n"
    "same calls. The formats text, markdown and, with\n"
    ".BR \\-\\-locate=source ,\n"
    "github report them as one finding with a list of the copies; json and ndjson have\n"
    "each copy, and the groups.\n"
    ".PP\n";

static void man_formats(struct buf *out)
{
    size_t count;
    const struct report_format *formats = report_formats(&count);
    buf_puts(out, ".SH REPORTS\nAll formats but ");
    report_formats_name(out, REPORT_EDITS_ONLY, " and ");
    buf_puts(out, " contain the same findings: each removed instruction with its rule, the\n"
                  "lines that the proof uses, the section of the ISA, the assumptions and its\n"
                  "id; each kept candidate with the instruction that needs it (in github only in "
                  "the summary).\n");
    report_formats_name(out, REPORT_SHOWS_CODE, " and ");
    buf_puts(out, "\nshow the code around each removed instruction.\n");
    buf_puts(out, man_cuda_lines);
    buf_puts(out, "Paths in ");
    report_formats_name(out, REPORT_PATHS_BELOW, " and ");
    buf_puts(out, "\nare relative to the current directory. A file outside it has its absolute\n"
                  "path; apply its diff with\n\\fBpatch \\-p1 \\-d /\\fR.\n");
    for (size_t i = 0; i < count; i++) {
        man_add_term(out, formats[i].name);
        add_roff(out, formats[i].summary);
        buf_puts(out, ".\n");
    }
}

static void man_assumptions(struct buf *out)
{
    size_t count;
    const struct ptxopt_assumption *assumptions = ptxopt_assumptions(&count);
    buf_puts(out, ".SH ASSUMPTIONS\nSome proofs need more than the plain text of the PTX ISA. Each "
                  "such assumption has a name,\nand\n.B \\-\\-remarks=full\nlists those that a "
                  "proof uses.\n");
    for (size_t i = 0; i < count; i++) {
        man_add_term(out, assumptions[i].name);
        buf_printf(out, "(%s by default)\n", assumptions[i].on_by_default ? "on" : "off");
        add_summary(out, assumptions[i].summary, assumptions[i].isa_section);
    }
}

static const char man_head[] =
    ".SH NAME\nptxopt \\- remove redundant tcgen05 fences and waits from PTX\n"
    ".SH SYNOPSIS\n.B ptxopt\n[\\fIOPTION\\fR]... [\\fIFILE\\fR|\\fIDIR\\fR|\\-]...\n.br\n"
    ".B ptxopt lsp\n[\\fIOPTION\\fR]...\n"
    ".SH DESCRIPTION\n.B ptxopt\nreads PTX for NVIDIA Blackwell, and removes the tcgen05 waits and "
    "fences,\n"
    "and the proxy fences, that it proves redundant. By default it moves and inserts nothing\n"
    "(see \\-\\-fix, \\-\\-annotate and \\-\\-squeeze). It keeps every other byte, and the number "
    "of lines, but removes blanks that would then end a line. An\n"
    "instruction that is not proven redundant is kept.\n.PP\n"
    "Without\n.I FILE\nor with \\- it reads standard input; without\n.B \\-o\n"
    "it writes standard output. Several files need\n.BR \\-o\\~\\fIDIR\\fB/ ,\n"
    ".B \\-\\-in\\-place\nor\n.BR \\-\\-check ,\n"
    "unless no PTX is written, as with\n.BR \\-\\-lint ;\n"
    "their messages have the order of the command line. A missing output directory and its\n"
    "parents are created. An input directory means every file below it whose name ends in\n"
    ".IR .ptx .\n.PP\n"
    "An output file is replaced completely or not at all. It keeps its mode. A symbolic link\n"
    "is kept and its target is written. A file that already has the result is not written.\n"
    "Other hard links to the file keep the old text. The output may be the input.\n"
    ".SH OPTIONS\n";

static const char man_lsp[] =
    ".SH EDITORS\n.B ptxopt lsp\nis a language server (LSP 3.17) on standard input and output. "
    "Redundant\ninstructions are underlined or faded, hovering over a wait or fence shows why it "
    "is\nredundant or kept, and quick fixes remove one redundant instruction, or all of them in a "
    "file. It ends\n"
    "when the editor asks it to. To optimize an input file named lsp, write\n.IR ./lsp .\n.PP\nIt "
    "takes these options:\n";

static const char man_lsp_options[] =
    ".PP\nThe editor's\n.I initializationOptions\nadd to them:\n.IR rules ,\n.IR assume ,\n"
    ".IR no_assume ,\n.IR isa ,\n.I lint\n(off, error, warning or note) and\n.I severity\n(of "
    "redundant instructions: hint, information, warning or error;\ninformation by default).\n";

static void man_editors(struct buf *out)
{
    struct buf list = {0};
    options_lsp_list(&list);
    char *words = buf_take(&list);
    buf_puts(out, man_lsp);
    add_roff(out, words);
    mem_free(words);
    buf_puts(out, ".\n");
    buf_puts(out, man_lsp_options);
}

static void add_man(struct buf *out)
{
    buf_printf(out, ".TH PTXOPT 1 \"\" \"ptxopt %s\" \"User Commands\"\n", ptxopt_version());
    buf_puts(out, man_head);
    man_options(out);
    man_formats(out);
    man_rules(out);
    man_reasons(out);
    man_comments(out);
    man_codes(out);
    man_assumptions(out);
    man_editors(out);
}

/* Implements "completion SHELL PROGRAM": for ptxopt from its table, for other programs from their
 * --help on standard input. */
static void add_completion(struct buf *out, const char *shell, const char *program)
{
    enum { HELP_MAX = 1 << 20 };
    struct completed completed = {.program = program};
    struct buf help = {0};
    if (strcmp(program, "ptxopt") == 0)
        completed_by_table(&completed);
    else if (file_read_rest(STDIN_FILENO, HELP_MAX, &help))
        buf_putc(&help, '\0');
    if (help.len) completed_by_help(&completed, help.data);
    if (completed.options.count) completion_print(out, shell, &completed);
    completed_free(&completed);
    buf_free(&help);
}

/* Prints one line "NAME TYPE TRAIT…" for each format. For tests. */
static void list_formats(struct buf *out)
{
    static const struct {
        unsigned trait;
        const char *word;
    } words[] = {
        {REPORT_EDITS_ONLY, "edits-only"},
        {REPORT_SHOWS_CODE, "code"},
        {REPORT_HAS_CONTEXT, "context"},
        {REPORT_HAS_FIGURES, "figures"},
        {REPORT_HAS_SASS, "sass"},
        {REPORT_TAKES_SOURCE, "source"},
        {REPORT_HASHES_LINES, "line-hashes"},
        {REPORT_PATHS_BELOW, "paths-below"},
        {REPORT_JOB_SUMMARY, "job-summary"},
    };
    size_t count;
    const struct report_format *formats = report_formats(&count);
    for (size_t i = 0; i < count; i++) {
        buf_printf(out, "%s %s", formats[i].name, formats[i].type);
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (formats[i].traits & words[k].trait) buf_printf(out, " %s", words[k].word);
        buf_putc(out, '\n');
    }
}

int main(int argc, char **argv)
{
    struct buf out = {0};
    if (argc == 2 && strcmp(argv[1], "man") == 0)
        add_man(&out);
    else if (argc == 2 && strcmp(argv[1], "formats") == 0)
        list_formats(&out);
    else if (argc == 4 && strcmp(argv[1], "completion") == 0)
        add_completion(&out, argv[2], argv[3]);
    if (!out.len) {
        fputs(
            "docgen: expected man, formats, or completion, a shell and a program, and its --help\n",
            stderr);
        return 2;
    }
    bool good = fwrite(out.data, 1, out.len, stdout) == out.len && fflush(stdout) == 0;
    buf_free(&out);
    return good ? 0 : 1;
}
