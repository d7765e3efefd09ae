/* Prints ptxopt.1 or the bash completion from the table of options and the library's own lists, so
 * that neither can miss an option, a rule or an assumption. Not installed. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
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

static void add_term(struct buf *out, const char *term)
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
        add_term(out, term);
        mem_free(term);
        add_roff(out, rows[i].help);
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
        add_term(out, rules[i].id);
        add_roff(out, rules[i].advice ? "Advises, deletes nothing" : "Deletes ");
        if (!rules[i].advice) add_roff(out, rules[i].deletes);
        buf_puts(out, ":\n");
        add_summary(out, rules[i].summary, rules[i].isa_section);
    }
}

static void man_codes(struct buf *out)
{
    size_t count;
    const struct ptxopt_lint_code *codes = ptxopt_lint_codes(&count);
    buf_puts(out,
             ".SH LINT\nWhat\n.B \\-\\-lint\nlooks for. A comment\n"
             ".I // ptxopt: ignore[CODE] REASON\non the line, or alone before it, accepts what "
             "is found there;\na baseline accepts what was there before.\n");
    for (size_t i = 0; i < count; i++) {
        add_term(out, codes[i].id);
        add_summary(out, codes[i].summary, codes[i].isa_section);
    }
}

static void man_formats(struct buf *out)
{
    size_t count;
    const struct report_format *formats = report_formats(&count);
    buf_puts(out,
             ".SH REPORTS\nAll formats but diff tell the same: each deletion with its rule, the "
             "lines it\nrests on, the section of the ISA, the assumptions and its id; each "
             "candidate that\nstays with what needs it. text, diff, json, ndjson, markdown and "
             "html show the\ncode around each deletion.\n");
    for (size_t i = 0; i < count; i++) {
        add_term(out, formats[i].name);
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
        add_term(out, assumptions[i].name);
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
    "It moves and inserts nothing; every other byte stays as it is, and so does the\n"
    "number of lines. Where it cannot prove, it keeps.\n.PP\n"
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
    ".TP\n.B 1\nWith\n.BR \\-\\-check :\nsomething would be deleted, or\n"
    ".B \\-\\-lint\nfound an error. With\n"
    ".BR \\-\\-bisect :\nno edit makes the command fail.\n"
    ".TP\n.B 2\nBad input or usage, or a file that cannot be read or written. No output was\n"
    "created or changed for that input; other inputs were still worked on.\n"
    ".TP\n.B 70\nInternal error, or out of memory.\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B PTXOPT_TOKEN\nThe token that\n.B \\-\\-server\nsends, or none.\n"
    ".TP\n.B PTXOPT_TOKEN_FILE\nA file whose first line is the token, where PTXOPT_TOKEN is not "
    "set.\n"
    ".TP\n.BR http_proxy \", \" https_proxy \", \" no_proxy\nWhich way\n.B \\-\\-server\n"
    "goes, as libcurl has it.\n"
    ".SH FILES\n"
    ".TP\n.I .ptxopt\\-*.tmp\nThe output while it is written, in the directory of the output;\n"
    "removed on errors and interrupts.\n"
    ".TP\n.B ptxas\nFrom the CUDA toolkit; looked for on PATH by\n.BR \\-\\-stats .\n"
    "Not needed otherwise.\n"
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
    man_codes(out);
    man_assumptions(out);
    man_editors(out);
    buf_puts(out, man_foot);
}

/* ---- the completion ---- */

#define OFFER(words) "mapfile -t COMPREPLY < <(compgen -W \"" words "\" -- \"$current\")"

static void add_words(struct buf *out, const char *variable, enum completion kind)
{
    size_t count;
    buf_printf(out, "    %s='", variable);
    if (kind == COMPLETE_RULE) {
        const struct ptxopt_rule *rules = ptxopt_rules(&count);
        for (size_t i = 0; i < count; i++) buf_printf(out, "%s%s", i ? " " : "", rules[i].id);
    } else if (kind == COMPLETE_CODE) {
        const struct ptxopt_lint_code *codes = ptxopt_lint_codes(&count);
        for (size_t i = 0; i < count; i++) buf_printf(out, "%s%s", i ? " " : "", codes[i].id);
    } else if (kind == COMPLETE_ASSUMPTION) {
        const struct ptxopt_assumption *assumptions = ptxopt_assumptions(&count);
        for (size_t i = 0; i < count; i++)
            buf_printf(out, "%s%s", i ? " " : "", assumptions[i].name);
    } else if (kind == COMPLETE_REPORT) {
        const struct report_format *formats = report_formats(&count);
        for (size_t i = 0; i < count; i++) buf_printf(out, "%s%s", i ? " " : "", formats[i].name);
    } else {
        const char *const *words = kind == COMPLETE_STAGE   ? options_stages
                                   : kind == COMPLETE_PARSE ? options_parses
                                   : kind == COMPLETE_LEVEL ? options_levels
                                                            : options_sets;
        for (size_t i = 0; words[i]; i++) buf_printf(out, "%s%s", i ? " " : "", words[i]);
    }
    buf_puts(out, "'\n");
}

static void add_options(struct buf *out)
{
    size_t count;
    const struct option_row *rows = options_table(&count);
    buf_puts(out, "    options='");
    for (size_t i = 0; i < count; i++) {
        const char *blank = i ? " " : "";
        if (rows[i].name)
            buf_printf(out, "%s--%s%s", blank, rows[i].name, rows[i].argument ? "=" : "");
        else
            buf_printf(out, "%s-%c", blank, rows[i].letter);
    }
    buf_puts(out, "'\n");
}

/* The pattern of the options whose argument is of that kind, and what to do then. */
static void add_case(struct buf *out, enum completion kind, const char *action)
{
    size_t count;
    const struct option_row *rows = options_table(&count);
    const char *bar = "    ";
    for (size_t i = 0; i < count; i++) {
        if (!rows[i].argument || rows[i].completion != kind) continue;
        if (rows[i].letter) buf_printf(out, "%s-%c", bar, rows[i].letter);
        if (rows[i].letter) bar = "|";
        if (rows[i].name) buf_printf(out, "%s--%s", bar, rows[i].name);
        bar = "|";
    }
    buf_printf(out, ") %s ;;\n", action);
}

static const char completion_head[] =
    "# bash completion for ptxopt; printed by docgen from the table of options\n"
    "_ptxopt()\n{\n"
    "    local options rules codes assumptions stages levels sets formats current previous list=\n"
    "    COMPREPLY=()\n"
    "    current=${COMP_WORDS[COMP_CWORD]}\n"
    "    previous=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    # bash takes --option=value for three words\n"
    "    if [[ $current == = ]]; then\n        current=\n"
    "    elif [[ $previous == = && $COMP_CWORD -gt 1 ]]; then\n"
    "        previous=${COMP_WORDS[COMP_CWORD-2]}\n    fi\n";

static const char completion_foot[] =
    "    *)\n"
    "        if [[ $current == -* ]]; then\n"
    "            " OFFER(
        "$options") "\n"
                    "            [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace\n"
                    "            return\n"
                    "        fi\n"
                    "        _ptxopt_files \"$current\"\n"
                    "        [[ $COMP_CWORD == 1 && -n $current && lsp == $current* ]] && "
                    "COMPREPLY+=(lsp) ;;\n"
                    "    esac\n}\n"
                    "_ptxopt_files()\n{\n"
                    "    compopt -o filenames\n"
                    "    mapfile -t COMPREPLY < <(compgen -d -- \"$1\"; compgen -f -X '!*.ptx' -- "
                    "\"$1\")\n}\n"
                    "complete -F _ptxopt ptxopt\n";

static void add_completion(struct buf *out)
{
    buf_puts(out, completion_head);
    add_options(out);
    add_words(out, "rules", COMPLETE_RULE);
    add_words(out, "codes", COMPLETE_CODE);
    add_words(out, "assumptions", COMPLETE_ASSUMPTION);
    add_words(out, "stages", COMPLETE_STAGE);
    add_words(out, "parses", COMPLETE_PARSE);
    add_words(out, "levels", COMPLETE_LEVEL);
    add_words(out, "sets", COMPLETE_SET);
    add_words(out, "formats", COMPLETE_REPORT);
    buf_puts(out, "    case $previous in\n");
    add_case(out, COMPLETE_RULE, OFFER("$rules $codes"));
    add_case(out, COMPLETE_RULE_LIST,
             "[[ $current == *,* ]] && list=${current%,*},\n"
             "        mapfile -t COMPREPLY < <(compgen -P \"$list\" -W \"$rules all none\" -- "
             "\"${current##*,}\")");
    add_case(out, COMPLETE_ASSUMPTION, OFFER("$assumptions"));
    add_case(out, COMPLETE_STAGE, OFFER("$stages"));
    add_case(out, COMPLETE_PARSE, OFFER("$parses"));
    add_case(out, COMPLETE_LEVEL, OFFER("$levels"));
    add_case(out, COMPLETE_SET, OFFER("$sets"));
    add_case(out, COMPLETE_REPORT, OFFER("$formats"));
    add_case(out, COMPLETE_FILE,
             "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")");
    add_case(out, COMPLETE_PTX_FILE, "_ptxopt_files \"$current\"");
    add_case(out, COMPLETE_NOTHING, "");
    buf_puts(out, completion_foot);
}

int main(int argc, char **argv)
{
    struct buf out = {0};
    if (argc == 2 && strcmp(argv[1], "man") == 0)
        add_man(&out);
    else if (argc == 2 && strcmp(argv[1], "completion") == 0)
        add_completion(&out);
    if (!out.len) {
        fputs("docgen: expected man or completion\n", stderr);
        return 2;
    }
    bool good = fwrite(out.data, 1, out.len, stdout) == out.len && fflush(stdout) == 0;
    buf_free(&out);
    return good ? 0 : 1;
}
