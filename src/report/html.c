/* One page for a browser: the sums, a list of contents, then file by file and kernel by kernel what
 * goes, with the lines it rests on, and what stays. */
#include "report/format.h"

#include <inttypes.h>

#include "report/html_parts.h"
#include "report/timeline.h"

enum { PICTURES_MOST = 100 }; /* in a page: each takes some 20 kB */

/* What the contents list has columns for. */
struct columns {
    bool linted, measured;
};

static struct columns columns_of(const struct review *review)
{
    struct columns columns = {.linted = review_totals(review).linted};
    for (uint32_t f = 0; f < review->count; f++)
        for (uint32_t k = 0; k < review->files[f]->kernels.count; k++)
            columns.measured |= review->files[f]->kernels.at[k].before != NULL;
    return columns;
}

static void html_add_figure(struct buf *out, bool known, uint32_t before, uint32_t after)
{
    buf_puts(out, "<td>");
    if (known) buf_printf(out, "%" PRIu32, before);
    if (known && after != before) buf_printf(out, " \xe2\x86\x92 %" PRIu32, after);
    buf_puts(out, "</td>");
}

static void html_add_figures(struct buf *out, const struct review_kernel *kernel)
{
    static const struct measure_kernel none = {0};
    bool known = kernel->before && kernel->after;
    const struct measure_kernel *before = known ? kernel->before : &none;
    const struct measure_kernel *after = known ? kernel->after : &none;
    bool entry = known && before->is_entry && after->is_entry;
    html_add_figure(out, known, before->instructions, after->instructions);
    html_add_figure(out, known, before->nops, after->nops);
    html_add_figure(out, known, before->membars, after->membars);
    html_add_figure(out, entry, before->registers, after->registers);
    html_add_figure(out, entry, before->spill_stores + before->spill_loads,
                    after->spill_stores + after->spill_loads);
}

/* One that only ptxas knows has no part of the page. */
static void add_kernel_name(struct buf *out, const struct review_kernel *kernel, uint32_t f,
                            uint32_t k)
{
    uint32_t items = 0;
    for (int kind = 0; kind < PTXOPT_SUPPRESSED; kind++) items += kernel->count[kind];
    if (items) buf_printf(out, "<a href=\"#k%" PRIu32 "-%" PRIu32 "\">", f, k);
    html_code(out, kernel->name);
    if (items) buf_puts(out, "</a>");
}

/* kernel: NULL for a file in which none is named. */
static void add_contents_row(struct buf *out, const struct review_file *file,
                             struct columns columns, uint32_t f, const struct review_kernel *kernel)
{
    const uint32_t *count = kernel ? kernel->count : file->count;
    buf_puts(out, "<tr><td>");
    if (file->items.count) buf_printf(out, "<a href=\"#f%" PRIu32 "\">", f);
    html_text(out, file->name);
    if (file->items.count) buf_puts(out, "</a>");
    buf_puts(out, "</td><td>");
    if (kernel) add_kernel_name(out, kernel, f, (uint32_t)(kernel - file->kernels.at));
    buf_printf(out, "</td><td>%" PRIu32 "</td><td>%" PRIu32 "</td>", count[PTXOPT_DELETED],
               count[PTXOPT_KEPT]);
    if (columns.linted) buf_printf(out, "<td>%" PRIu32 "</td>", count[PTXOPT_HAZARD]);
    if (columns.measured && kernel) html_add_figures(out, kernel);
    buf_puts(out, "</tr>\n");
}

static void add_contents(struct buf *out, const struct review *review)
{
    struct columns columns = columns_of(review);
    buf_puts(out, "<nav class=\"scroll\"><table class=\"sums\">\n<tr><th>file</th><th>kernel</th>"
                  "<th>redundant</th><th>kept</th>");
    if (columns.linted) buf_puts(out, "<th>lint</th>");
    if (columns.measured)
        buf_puts(out, "<th>SASS instructions</th><th>NOPs</th><th>MEMBARs</th><th>registers</th>"
                      "<th>spill bytes</th>");
    buf_puts(out, "</tr>\n");
    for (uint32_t f = 0; f < review->count; f++) {
        const struct review_file *file = review->files[f];
        if (!file->kernels.count) add_contents_row(out, file, columns, f, NULL);
        for (uint32_t k = 0; k < file->kernels.count; k++)
            add_contents_row(out, file, columns, f, &file->kernels.at[k]);
    }
    buf_puts(out, "</table></nav>\n");
}

static void html_add_file(struct buf *out, const struct review_file *file, uint32_t number,
                          uint32_t *pictures)
{
    buf_printf(out, "<section id=\"f%" PRIu32 "\">\n<h2>", number);
    html_text(out, file->name);
    buf_puts(out, "</h2>\n");
    if (*file->settings) {
        buf_printf(out, "<p class=\"soft\">%zu bytes, cksum %" PRIu32 "; ", file->input_bytes,
                   file->checksum);
        html_text(out, file->settings);
        buf_puts(out, "</p>\n");
    }
    html_add_kernels(out, file, number, pictures);
    buf_puts(out, "</section>\n");
}

void report_html(struct buf *out, const struct review *review)
{
    uint32_t pictures = PICTURES_MOST;
    buf_puts(out, html_style);
    buf_puts(out, html_lines_style);
    buf_puts(out, timeline_style);
    buf_puts(out, html_body);
    buf_puts(out, "<h1>ptxopt: ");
    review_headline(out, review);
    buf_printf(out, "</h1>\n<p class=\"soft\">ptxopt %s</p>\n", ptxopt_version());
    add_contents(out, review);
    buf_puts(out, html_controls);
    for (uint32_t f = 0; f < review->count; f++)
        if (review->files[f]->items.count) html_add_file(out, review->files[f], f, &pictures);
    if (!pictures)
        buf_printf(out, "<p class=\"soft\">The first %d kernels have a picture.</p>\n",
                   PICTURES_MOST);
    buf_puts(out, html_foot);
}
