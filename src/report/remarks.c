/* Writes optimization records in the YAML of LLVM: Passed for a removal, Missed for a kept
 * candidate or an unchanged function, Analysis for everything else; viewers know no other kinds.
 * Pass is the rule, by which viewers group and filter, and Name says what became of the candidate.
 * A viewer shows the values of Args one after the other; the strings between them make that a
 * sentence. DebugLoc is the place in the PTX, and the CUDA line is an argument with its own
 * DebugLoc. If reports are at the CUDA line, it is the other way round. */
#include "report/format.h"

#include <inttypes.h>

#include "report/clean.h"

static const char *remark_tag(enum ptxopt_kind kind)
{
    if (kind == PTXOPT_DELETED) return "Passed";
    return kind == PTXOPT_KEPT || kind == PTXOPT_SKIPPED ? "Missed" : "Analysis";
}

static const char *remark_name(enum ptxopt_kind kind)
{
    static const char *const names[PTXOPT_KINDS] = {
        [PTXOPT_DELETED] = "Redundant",     [PTXOPT_KEPT] = "Kept",
        [PTXOPT_ADVICE] = "Advice",         [PTXOPT_SKIPPED] = "Skipped",
        [PTXOPT_DIAGNOSTIC] = "Diagnostic", [PTXOPT_HAZARD] = "Hazard",
        [PTXOPT_SUPPRESSED] = "Suppressed"};
    return names[kind];
}

/* Characters that YAML allows only in double quotes. */
static bool needs_escape(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
           code == 0xfeff || (code & 0xfffe) == 0xfffe;
}

static bool any_needs_escape(struct str text)
{
    bool needs = false;
    while (text.n && !needs) {
        uint32_t code;
        size_t len = clean_char(text, &code);
        needs = needs_escape(code);
        text.p += len;
        text.n -= len;
    }
    return needs;
}

/* Writes a scalar in single quotes, or in double quotes if something must be escaped. Single quotes
 * are preferred because the parser of LLVM removes only these. */
static void add_scalar(struct buf *out, const char *text)
{
    struct str rest = str_from(text);
    bool escape = any_needs_escape(rest);
    char quote = escape ? '"' : '\'';
    buf_putc(out, quote);
    while (rest.n) {
        uint32_t code;
        size_t len = clean_char(rest, &code);
        if (escape && needs_escape(code))
            buf_printf(out, "\\u%04" PRIX32, code & 0xffff);
        else if (escape && (code == '"' || code == '\\'))
            buf_printf(out, "\\%c", (char)code);
        else if (!escape && code == '\'')
            buf_puts(out, "''");
        else
            buf_add(out, rest.p, len);
        rest.p += len;
        rest.n -= len;
    }
    buf_putc(out, quote);
}

static void remarks_add_location(struct buf *out, const char *file, uint32_t line, uint32_t column)
{
    buf_puts(out, "DebugLoc: { File: ");
    add_scalar(out, file);
    buf_printf(out, ", Line: %" PRIu32 ", Column: %" PRIu32 " }\n", line, column);
}

static void add_value(struct buf *out, const char *key, const char *text)
{
    buf_printf(out, "  - %s: ", key);
    add_scalar(out, text);
    buf_putc(out, '\n');
}

/* label: the text in front of the argument. */
static void add_argument(struct buf *out, const char *label, const char *key, const char *text)
{
    if (!*text) return;
    add_value(out, "String", label);
    add_value(out, key, text);
}

static void remarks_add_sentence(struct buf *out, const struct review_item *item)
{
    struct buf text = {0};
    review_sentence(&text, item);
    char *sentence = buf_take(&text);
    add_value(out, "String", sentence);
    mem_free(sentence);
}

static void remarks_add_place(struct buf *out, const char *file, uint32_t line)
{
    buf_puts(out, "    ");
    remarks_add_location(out, file, line, 1);
}

static void remarks_add_steps(struct buf *out, const struct review_file *file,
                              const struct review_item *item)
{
    for (uint32_t i = 0; i < item->steps.count; i++) {
        const struct review_step *step = &item->steps.at[i];
        struct buf label = {0};
        if (step->line == item->finding.line) continue;
        buf_printf(&label, "; %s: ", *step->part ? step->part : "then");
        char *text = buf_take(&label);
        add_value(out, "String", text);
        add_value(out, "Step", step->text);
        remarks_add_place(out, file->name, step->line);
        mem_free(text);
    }
}

/* Adds the place in the other text, CUDA or PTX. */
static void add_other_place(struct buf *out, const struct review_file *file,
                            const struct review_item *item)
{
    add_argument(out, "; CUDA source ", "Source", item->source_says);
    if (*item->source_says && !item->at_source)
        remarks_add_place(out, item->source_file, item->source_line);
    add_argument(out, "; PTX ", "Ptx", item->ptx_says);
    if (item->at_source) remarks_add_place(out, file->name, item->finding.line);
}

static void open_record(struct buf *out, const char *tag, const char *pass, const char *name)
{
    buf_printf(out, "--- !%s\nPass: ", tag);
    add_scalar(out, pass);
    buf_printf(out, "\nName: %s\n", name);
}

static void remarks_add_item(struct buf *out, const struct review_file *file,
                             const struct review_item *item)
{
    const struct ptxopt_finding *finding = &item->finding;
    open_record(out, remark_tag(finding->kind), finding->code, remark_name(finding->kind));
    if (item->at_source)
        remarks_add_location(out, item->source_file, item->source_line, item->stack.at[0].column);
    else
        remarks_add_location(out, file->name, finding->line, finding->column);
    buf_puts(out, "Function: ");
    add_scalar(out, *finding->function ? finding->function : "<none>");
    buf_puts(out, "\nArgs:\n");
    remarks_add_sentence(out, item);
    add_argument(out, "; reason ", "Reason", finding->reason);
    add_argument(out, "; assumes ", "Assumes", finding->assumptions);
    if (finding->kind == PTXOPT_HAZARD)
        add_argument(out, "; level ", "Level", review_level_word(finding->level));
    add_argument(out, "; the ISA says: ", "Sentence", finding->sentence);
    add_argument(out, "; risk: ", "Risk", finding->risk);
    add_argument(out, "; fix: ", "Fix", finding->fix);
    add_argument(out, "; cost ", "Cost", item->cost_says);
    remarks_add_steps(out, file, item);
    add_argument(out, "; PTX ISA ", "Isa", finding->isa_section);
    add_argument(out, " ", "Link", item->isa_link);
    add_other_place(out, file, item);
    add_argument(out, "; id ", "Id", finding->id);
    buf_puts(out, "...\n");
}

static void remarks_add_figures(struct buf *out, const struct review_file *file,
                                const struct review_kernel *kernel)
{
    struct buf text = {0};
    open_record(out, "Analysis", "sass", "Figures");
    remarks_add_location(out, file->name, 1, 1);
    buf_puts(out, "Function: ");
    add_scalar(out, kernel->name);
    buf_puts(out, "\nArgs:\n");
    review_figures(&text, kernel);
    char *figures = buf_take(&text);
    add_value(out, "String", figures);
    mem_free(figures);
    buf_puts(out, "...\n");
}

void report_remarks(struct buf *out, const struct review *review)
{
    for (uint32_t f = 0; f < review->count; f++) {
        const struct review_file *file = review->files[f];
        for (uint32_t i = 0; i < file->items.count; i++)
            remarks_add_item(out, file, &file->items.at[i]);
        for (uint32_t i = 0; i < file->kernels.count; i++)
            if (file->kernels.at[i].before) remarks_add_figures(out, file, &file->kernels.at[i]);
    }
}
