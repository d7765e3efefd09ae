/* Optimization records as LLVM writes them, YAML documents: Passed for a deletion, Missed for a
 * candidate that stays or a function left alone, Analysis for the rest; viewers know no others.
 * DebugLoc is the place in the PTX; the CUDA line is an argument with a DebugLoc of its own. */
#include "report/format.h"

#include <inttypes.h>

#include "report/clean.h"

static const char *tag(enum ptxopt_kind kind)
{
    if (kind == PTXOPT_DELETED) return "Passed";
    return kind == PTXOPT_KEPT || kind == PTXOPT_SKIPPED ? "Missed" : "Analysis";
}

/* A double-quoted scalar: what YAML does not take as it is gets an escape. */
static void add_scalar(struct buf *out, const char *text)
{
    struct str rest = str_from(text);
    buf_putc(out, '"');
    while (rest.n) {
        uint32_t code;
        size_t len = clean_char(rest, &code);
        if (code == '"' || code == '\\')
            buf_printf(out, "\\%c", (char)code);
        else if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
                 code == 0xfeff || (code & 0xfffe) == 0xfffe)
            buf_printf(out, "\\u%04" PRIX32, code & 0xffff);
        else
            buf_add(out, rest.p, len);
        rest.p += len;
        rest.n -= len;
    }
    buf_putc(out, '"');
}

static void add_location(struct buf *out, const char *file, uint32_t line, uint32_t column)
{
    buf_puts(out, "DebugLoc: { File: ");
    add_scalar(out, file);
    buf_printf(out, ", Line: %" PRIu32 ", Column: %" PRIu32 " }\n", line, column);
}

static void add_argument(struct buf *out, const char *key, const char *text)
{
    if (!*text) return;
    buf_printf(out, "  - %s: ", key);
    add_scalar(out, text);
    buf_putc(out, '\n');
}

static void add_sentence(struct buf *out, const struct review_item *item)
{
    struct buf text = {0};
    review_sentence(&text, item);
    char *sentence = buf_take(&text);
    add_argument(out, "String", sentence);
    mem_free(sentence);
}

static void add_steps(struct buf *out, const struct review_file *file,
                      const struct review_item *item)
{
    for (uint32_t i = 0; i < item->steps.count; i++) {
        const struct review_step *step = &item->steps.at[i];
        add_argument(out, "Step", *step->part ? step->part : step->text);
        buf_puts(out, "    ");
        add_location(out, file->name, item->steps.at[i].line, 1);
    }
}

static void add_item(struct buf *out, const struct review_file *file,
                     const struct review_item *item)
{
    buf_printf(out, "--- !%s\nPass: ptxopt\nName: ", tag(item->finding.kind));
    add_scalar(out, item->finding.code);
    buf_putc(out, '\n');
    add_location(out, file->name, item->finding.line, item->finding.column);
    buf_puts(out, "Function: ");
    add_scalar(out, *item->finding.function ? item->finding.function : "<none>");
    buf_puts(out, "\nArgs:\n");
    add_sentence(out, item);
    add_argument(out, "Reason", item->finding.reason);
    add_argument(out, "Isa", item->finding.isa_section);
    add_argument(out, "Link", item->isa_link);
    add_argument(out, "Assumes", item->finding.assumptions);
    add_argument(out, "Id", item->finding.id);
    if (item->finding.kind == PTXOPT_HAZARD)
        add_argument(out, "Level", review_level_word(item->finding.level));
    add_argument(out, "Sentence", item->finding.sentence);
    add_argument(out, "Risk", item->finding.risk);
    add_argument(out, "Fix", item->finding.fix);
    add_steps(out, file, item);
    if (item->source_line) {
        add_argument(out, "Source", "CUDA");
        buf_puts(out, "    ");
        add_location(out, item->source_file, item->source_line, 1);
    }
    buf_puts(out, "...\n");
}

static void add_figures(struct buf *out, const struct review_file *file,
                        const struct review_kernel *kernel)
{
    struct buf text = {0};
    buf_puts(out, "--- !Analysis\nPass: ptxopt\nName: sass\n");
    add_location(out, file->name, 1, 1);
    buf_puts(out, "Function: ");
    add_scalar(out, kernel->name);
    buf_puts(out, "\nArgs:\n");
    review_figures(&text, kernel);
    char *figures = buf_take(&text);
    add_argument(out, "String", figures);
    mem_free(figures);
    buf_puts(out, "...\n");
}

void report_remarks(struct buf *out, const struct review *review)
{
    for (uint32_t f = 0; f < review->count; f++) {
        const struct review_file *file = review->files[f];
        for (uint32_t i = 0; i < file->items.count; i++) add_item(out, file, &file->items.at[i]);
        for (uint32_t i = 0; i < file->kernels.count; i++)
            if (file->kernels.at[i].before) add_figures(out, file, &file->kernels.at[i]);
    }
}
