/* One page for a browser: each item with its lines side by side, before and after. What is the same
 * in every page is html_page.c. */
#include "report/format.h"

#include <inttypes.h>

#include "report/clean.h"
#include "report/html_page.h"

static void add_html(struct buf *out, const char *text)
{
    clean_add_html(out, str_from(text));
}

static void add_code(struct buf *out, const char *text)
{
    buf_puts(out, "<code>");
    add_html(out, text);
    buf_puts(out, "</code>");
}

/* ---- side by side ---- */

static void add_cells(struct buf *out, const struct review_row *row, const char *class, bool after)
{
    if (!row) {
        buf_puts(out, "<td class=\"no\"></td><td class=\"code\"></td>");
        return;
    }
    struct str text = row->text;
    if (text.n && text.p[text.n - 1] == '\r') text.n--;
    buf_printf(out, "<td class=\"no\">%" PRIu32 "</td><td class=\"code%s\">",
               after ? row->after : row->before, class);
    clean_add_html(out, text);
    buf_puts(out, "</td>");
}

static uint32_t run_length(const struct review_hunk *code, uint32_t at, char op)
{
    uint32_t count = 0;
    while (at + count < code->rows.count && code->rows.at[at + count].op == op) count++;
    return count;
}

static void add_table(struct buf *out, const struct review_hunk *code)
{
    buf_puts(out, "<div class=\"scroll\"><table class=\"side\">"
                  "<colgroup><col style=\"width:4.5rem\"><col><col style=\"width:4.5rem\"><col>"
                  "</colgroup>\n");
    for (uint32_t i = 0; i < code->rows.count;) {
        const struct review_row *row = &code->rows.at[i];
        if (row->op == ' ') {
            buf_puts(out, "<tr>");
            add_cells(out, row, "", false);
            add_cells(out, row, "", true);
            buf_puts(out, "</tr>\n");
            i++;
            continue;
        }
        uint32_t gone = run_length(code, i, '-'), come = run_length(code, i + gone, '+');
        for (uint32_t k = 0; k < gone || k < come; k++) {
            buf_puts(out, "<tr>");
            add_cells(out, k < gone ? row + k : NULL, " gone", false);
            add_cells(out, k < come ? row + gone + k : NULL, " come", true);
            buf_puts(out, "</tr>\n");
        }
        i += gone + come;
    }
    buf_puts(out, "</table></div>\n");
}

/* ---- items ---- */

static void add_link(struct buf *out, const struct review_item *item)
{
    buf_puts(out, ", <a rel=\"noreferrer\" href=\"");
    add_html(out, item->isa_link);
    buf_puts(out, "\">PTX ISA ");
    add_html(out, item->finding.isa_section);
    buf_puts(out, "</a>");
}

static void add_grounds(struct buf *out, const struct review_item *item)
{
    buf_puts(out, review_is_ruled(item) ? "<p class=\"soft\">Rule " : "<p class=\"soft\">Code ");
    add_code(out, item->finding.code);
    if (*item->finding.reason) buf_puts(out, ", reason ");
    if (*item->finding.reason) add_code(out, item->finding.reason);
    if (*item->finding.isa_section) add_link(out, item);
    if (*item->finding.assumptions) buf_puts(out, ", assumes ");
    if (*item->finding.assumptions) add_code(out, item->finding.assumptions);
    if (*item->finding.function) buf_puts(out, ", function ");
    if (*item->finding.function) add_code(out, item->finding.function);
    if (item->source_line) {
        buf_puts(out, ", CUDA source ");
        add_code(out, item->source_file);
        buf_printf(out, " line %" PRIu32, item->source_line);
    }
    if (*item->finding.id) buf_puts(out, ", id ");
    if (*item->finding.id) add_code(out, item->finding.id);
    buf_puts(out, "</p>\n");
}

static void add_steps(struct buf *out, const struct review_item *item)
{
    if (!item->steps.count) return;
    buf_puts(out, "<ol>\n");
    if (item->finding.more_operations)
        buf_printf(out, "<li>%" PRIu32 " more operations issued before</li>\n",
                   item->finding.more_operations);
    for (uint32_t i = 0; i < item->steps.count; i++) {
        const struct review_step *step = &item->steps.at[i];
        buf_printf(out, "<li>line %" PRIu32 ": ", step->line);
        add_code(out, step->text);
        buf_puts(out, " <span class=\"soft\">");
        add_html(out, step->part);
        buf_puts(out, "</span></li>\n");
    }
    buf_puts(out, "</ol>\n");
}

static void add_facts(struct buf *out, const struct review_item *item)
{
    struct review_fact facts[REVIEW_FACTS];
    review_facts(item, facts);
    for (int i = 0; i < REVIEW_FACTS; i++) {
        if (!*facts[i].text) continue;
        buf_printf(out, "<p><span class=\"soft\">%s:</span> ", facts[i].label);
        add_html(out, facts[i].text);
        buf_puts(out, "</p>\n");
    }
}

static void add_item(struct buf *out, const struct review_file *file,
                     const struct review_item *item)
{
    const char *class = item->finding.kind == PTXOPT_DELETED  ? "edit"
                        : item->finding.kind == PTXOPT_KEPT   ? "kept"
                        : item->finding.kind == PTXOPT_HAZARD ? "lint"
                                                              : "other";
    struct buf sentence = {0};
    buf_printf(out, "<article class=\"%s\">\n<p><span class=\"kind\">%s</span> ", class,
               review_label(item));
    add_html(out, file->name);
    buf_printf(out, ":%" PRIu32 ":%" PRIu32 "</p>\n<p>", item->finding.line, item->finding.column);
    review_sentence(&sentence, item);
    clean_add_html(out, (struct str){sentence.data, sentence.len});
    buf_free(&sentence);
    buf_puts(out, ".</p>\n");
    add_steps(out, item);
    add_facts(out, item);
    add_grounds(out, item);
    if (item->code.rows.count) add_table(out, &item->code);
    buf_puts(out, "</article>\n");
}

/* ---- the page ---- */

static void add_sums(struct buf *out, const struct review *review)
{
    buf_puts(out, "<h1>ptxopt: ");
    review_headline(out, review);
    bool linted = review_totals(review).linted;
    buf_puts(out, "</h1>\n<div class=\"scroll\"><table class=\"sums\">\n<tr><th>file</th>"
                  "<th>kernel</th>");
    if (linted) buf_puts(out, "<th>lint</th>");
    buf_puts(out, "<th>redundant</th><th>kept</th><th>ptxas</th></tr>\n");
    for (uint32_t f = 0; f < review->count; f++)
        for (uint32_t k = 0; k < review->files[f]->kernels.count; k++) {
            const struct review_kernel *kernel = &review->files[f]->kernels.at[k];
            buf_puts(out, "<tr><td>");
            add_html(out, review->files[f]->name);
            buf_puts(out, "</td><td>");
            add_code(out, kernel->name);
            if (linted) buf_printf(out, "</td><td>%" PRIu32, kernel->count[PTXOPT_HAZARD]);
            buf_printf(out, "</td><td>%" PRIu32 "</td><td>%" PRIu32 "</td><td>",
                       kernel->count[PTXOPT_DELETED], kernel->count[PTXOPT_KEPT]);
            if (kernel->before)
                review_figures(out, kernel);
            else
                buf_puts(out, "not measured");
            buf_puts(out, "</td></tr>\n");
        }
    buf_puts(out, "</table></div>\n");
}

void report_html(struct buf *out, const struct review *review)
{
    buf_puts(out, html_head);
    add_sums(out, review);
    buf_puts(out, html_controls);
    for (uint32_t f = 0; f < review->count; f++) {
        const struct review_file *file = review->files[f];
        if (!file->items.count) continue;
        buf_puts(out, "<section>\n<h2>");
        add_html(out, file->name);
        buf_puts(out, "</h2>\n");
        for (uint32_t i = 0; i < file->items.count; i++) add_item(out, file, &file->items.at[i]);
        buf_puts(out, "</section>\n");
    }
    buf_puts(out, html_foot);
}
