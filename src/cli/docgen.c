/* Prints ptxopt.1 from the table of options and the library's own lists, so that it can miss no
 * option, rule or assumption; and what shells complete for a program (completion.c). Not installed.
 */
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

/* Adds text so that roff prints it as it is; a line break stays one. */
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
    buf_puts(out, ".SH RULES\n.B \\-\\-explain\nprints the whole of each.\n");
    for (size_t i = 0; i < count; i++) {
        man_add_term(out, rules[i].id);
        add_roff(out, rules[i].advice ? "Advises, deletes nothing" : "Deletes ");
        if (!rules[i].advice) add_roff(out, rules[i].deletes);
        buf_puts(out, ":\n");
        add_summary(out, rules[i].summary, rules[i].isa_section);
    }
}

static void man_reasons(struct buf *out)
{
    size_t count;
    const struct ptxopt_reason *reasons = ptxopt_reasons(&count);
    buf_puts(out, ".SH REASONS\nWhy a candidate, or a function, is kept.\n.B \\-\\-explain\n"
                  "says what each means, and what there is to do.\n");
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
        ".SH LINT\nWhat\n.B \\-\\-lint\nlooks for. A comment (see\n.BR COMMENTS )\naccepts what "
        "is found at its place,\n.B \\-\\-baseline\nwhat was there before.\n");
    for (size_t i = 0; i < count; i++) {
        man_add_term(out, codes[i].id);
        add_summary(out, codes[i].summary, codes[i].isa_section);
    }
}

static void man_comments(struct buf *out)
{
    buf_puts(out, ".SH COMMENTS\nA comment in the text, of either kind, that begins with\n"
                  ".I ptxopt:\nis about the instructions of its line or, where that holds none, "
                  "about the next one.\n");
    man_add_term(out, "ptxopt: keep");
    buf_puts(out, "They are not deleted, and what else goes is judged with them in place.\n");
    man_add_term(out, "ptxopt: keep RULE, RULE -- REASON");
    buf_puts(out, "Not by these rules.\n");
    man_add_term(out, "ptxopt: keep-next");
    buf_puts(out, "The same of the next instruction in any case.\n");
    man_add_term(out, "ptxopt: ignore[CODE, CODE] REASON");
    buf_puts(out, "What\n.B \\-\\-lint\nfinds there under these codes, or without brackets under "
                  "any, is accepted.\n");
}

static const char man_cuda_lines[] =
    ".PP\n"
    "The CUDA line (nvcc \\-lineinfo) is the call site, the line that its author\n"
    "wrote in the kernel; behind it stands what was inlined there. With\n"
    ".B \\-\\-locate=source\n"
    "findings stand at it, and the line of the PTX comes second. A fix is one of the\n"
    "PTX: that of SARIF names its file, and rdjson then has none. Of the CUDA file,\n"
    "where it is below the folder that ptxopt runs in, SARIF then has the lines\n"
    "around, and the hash by which GitHub knows a line again.\n"
    ".PP\n"
    "What unrolling copied, one instruction of one CUDA line reached by the same\n"
    "calls, text, markdown and, with\n"
    ".BR \\-\\-locate=source ,\n"
    "github tell as one, with the copies below; json and ndjson have each copy, and\n"
    "the groups.\n"
    ".PP\n";

static void man_formats(struct buf *out)
{
    size_t count;
    const struct report_format *formats = report_formats(&count);
    buf_puts(out, ".SH REPORTS\nAll formats but ");
    report_formats_name(out, REPORT_EDITS_ONLY, " and ");
    buf_puts(out, " tell the same: each deletion with its rule, the\n"
                  "lines it rests on, the section of the ISA, the assumptions and its id; each\n"
                  "candidate that stays with what needs it.\n");
    report_formats_name(out, REPORT_SHOWS_CODE, " and ");
    buf_puts(out, "\nshow the code around each deletion.\n");
    buf_puts(out, man_cuda_lines);
    buf_puts(out, "Paths in ");
    report_formats_name(out, REPORT_PATHS_BELOW, " and ");
    buf_puts(out,
             "\nare those from the folder that ptxopt runs in, however a file was named. A file\n"
             "outside of it has its absolute path there; its diff is for\n"
             "\\fBpatch \\-p1 \\-d /\\fR.\n");
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
    buf_puts(out, ".SH ASSUMPTIONS\nWhat a proof needs beyond the plain text of the PTX ISA has a "
                  "name,\nand each remark says which it rests on.\n");
    for (size_t i = 0; i < count; i++) {
        man_add_term(out, assumptions[i].name);
        buf_printf(out, "(%s by default)\n", assumptions[i].on_by_default ? "on" : "off");
        add_summary(out, assumptions[i].summary, assumptions[i].isa_section);
    }
}

static const char man_head[] =
    ".SH NAME\nptxopt \\- delete redundant tcgen05 fences and waits from PTX\n"
    ".SH SYNOPSIS\n.B ptxopt\n[\\fIOPTION\\fR]... [\\fIFILE\\fR|\\fIDIR\\fR|\\-]...\n.br\n"
    ".B ptxopt lsp\n[\\fIOPTION\\fR]...\n"
    ".SH DESCRIPTION\n.B ptxopt\nreads PTX for NVIDIA Blackwell, proves which tcgen05 fences and\n"
    "waits order nothing that is not ordered without them, and deletes exactly those.\n"
    "It moves and inserts nothing; every other byte stays, but for blanks that would end a line,\n"
    "and so does the number of lines. Where it cannot prove, it keeps.\n.PP\n"
    "Without\n.I FILE\nor with \\- it reads standard input; without\n.B \\-o\n"
    "it writes standard output. Several files need\n.BR \\-o\\~\\fIDIR\\fB/ ,\n"
    "a directory that is made, with those above it, where it is not there,\n.B "
    "\\-\\-in\\-place\nor\n.BR \\-\\-check ;\n"
    "their messages come in the order of the command line. A directory as input stands for\n"
    "every file below it whose name ends in\n.IR .ptx .\n.PP\n"
    "An output file is replaced as a whole or not at all. It keeps its mode, a symbolic\n"
    "link stays and its target is written, and a file that already holds the result is\n"
    "not touched. Other hard links to it keep the old text. The input may be the output.\n"
    ".SH OPTIONS\n";

static const char man_foot[] =
    ".SH EXIT STATUS\n"
    ".TP\n.B 0\nDone, whether or not something was deleted.\n"
    ".TP\n.B 1\nWith\n.BR \\-\\-check :\nsomething would be deleted that no\n.B "
    "\\-\\-baseline\nlists, or\n"
    ".B \\-\\-lint\nfound an error. With\n"
    ".BR \\-\\-bisect :\nno edit makes the command fail.\n"
    ".TP\n.B 2\nBad input or usage, or a file that cannot be read or written. No output was\n"
    "created or changed for that input; other inputs were still worked on.\n"
    ".TP\n.B 70\nInternal error, or out of memory.\n"
    ".SH MESSAGES\n"
    "On standard error, as compilers have them:\n"
    ".IR FILE : LINE : COLUMN :\n"
    "error, warning, note or remark, a sentence and, in brackets, the rule or code. With\n"
    ".B \\-\\-check\n"
    "a remark of each instruction that would go, then a line\n"
    ".RI \"ptxopt: \" FILE \": \" N \" redundant instructions\" ;\n"
    "that line alone where a report or\n.B \\-\\-remarks\ntells them. With\n"
    ".B \\-\\-in\\-place\n"
    "a line\n.RI \"ptxopt: \" FILE \": \" N \" of \" M \" candidates deleted\"\n"
    "of each file that was replaced. With\n.B \\-q\nnone of these.\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.BR NO_COLOR \", \" TERM\nSet, and dumb: no colours, unless\n.B "
    "\\-\\-color=always\nasks for them.\n"
    ".TP\n.B PTXOPT_TOKEN\nThe token that\n.B \\-\\-server\nsends, or none.\n"
    ".TP\n.B PTXOPT_TOKEN_FILE\nA file whose first line is the token, where PTXOPT_TOKEN is not "
    "set.\n"
    ".TP\n.BR http_proxy \", \" https_proxy \", \" no_proxy\nWhich way\n.B \\-\\-server\n"
    "goes, as libcurl has it.\n"
    ".SH FILES\n"
    ".TP\n.I .ptxopt\\-*.tmp\nThe output while it is written, in the directory of the output;\n"
    "removed on errors and interrupts.\n"
    ".TP\n.B ptxas\nFrom the CUDA toolkit; looked for on PATH by\n.BR \\-\\-stats \", \" "
    "\\-\\-sass\n"
    "and the limits on what a kernel may cost.\nNot needed otherwise.\n"
    ".SH EXAMPLES\n"
    ".nf\n"
    "ptxopt kernel.ptx \\-o kernel.opt.ptx\n"
    "ptxopt \\-\\-remarks <kernel.ptx >kernel.opt.ptx\n"
    "ptxopt \\-j 4 \\-o out/ build/*.ptx\n"
    "ptxopt \\-\\-rules=wait\\-idle \\-\\-stats kernel.ptx \\-o kernel.ptx\n"
    "ptxopt \\-\\-explain wait\\-covered\n"
    "ptxopt \\-\\-check \\-\\-report sarif=ptxopt.sarif kernels/\n"
    "ptxopt \\-\\-report diff \\-\\-check kernel.ptx | git apply\n"
    "ptxopt \\-\\-bisect kernel.ptx \\-\\- ./run\\-test {}\n"
    ".fi\n";

static const char man_lsp[] =
    ".SH EDITORS\n.B ptxopt lsp\nis a language server (LSP 3.17) on standard input and output: "
    "what can be\ndeleted is underlined or faded, hovering tells why it may go or why it stays, "
    "and\n"
    "quick fixes delete one instruction or all of a file. It ends when the editor says so.\n"
    "A file of that name is\n.IR ./lsp .\n.PP\nOf the options it takes\n";

static const char man_lsp_options[] =
    ".PP\nThe editor's\n.I initializationOptions\ncome on top:\n.IR rules ,\n.IR assume ,\n"
    ".IR no_assume ,\n.IR isa ,\n.I lint\n(off, error, warning or note) and\n.I severity\n(of what "
    "can be deleted: hint, information, "
    "warning or error;\ninformation by default).\n";

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
    buf_puts(out, man_foot);
}

/* completion SHELL PROGRAM: of ptxopt by its table, of others by their --help on standard input. */
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

/* For tests: NAME TYPE TRAIT… a line. */
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
