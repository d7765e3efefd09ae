/* Prints the report for a browser: totals, a table of contents, then for each file and kernel what
 * is removed, with the lines that the proof uses, and what is kept. */
#include "report/format.h"

#include <inttypes.h>

#include "report/html_parts.h"
#include "report/timeline.h"

enum {
    PICTURES_MOST = 100, /* per page: each takes about 20 kB */
    ITEMS_MOST = 2000,
    ROWS_MOST = 1000, /* of the table of contents */
};
static const size_t BYTES_MOST = (size_t)16 << 20; /* of the page before the last item */

/* The columns of the table of contents. */
struct columns {
    bool optimized, linted, other;
};

/* The counts in a row of that table. */
struct html_counts {
    uint32_t redundant, kept, hazards[REVIEW_SEVERITIES], other;
};

static struct html_counts counts_of_kernel(const struct review_kernel *kernel)
{
    struct html_counts counts = {kernel->count[PTXOPT_DELETED], kernel->count[PTXOPT_KEPT], {0}, 0};
    for (int level = 0; level < REVIEW_SEVERITIES; level++)
        counts.hazards[level] = kernel->hazards[level];
    counts.other = kernel->count[PTXOPT_ADVICE] + kernel->count[PTXOPT_SKIPPED] +
                   kernel->count[PTXOPT_DIAGNOSTIC];
    return counts;
}

static void counts_add(struct html_counts *sum, const struct html_counts *more)
{
    sum->redundant += more->redundant;
    sum->kept += more->kept;
    for (int level = 0; level < REVIEW_SEVERITIES; level++)
        sum->hazards[level] += more->hazards[level];
    sum->other += more->other;
}

/* The counts of items that belong to no function of the file. */
static struct html_counts counts_of_rest(const struct review_file *file)
{
    struct html_counts counts = {0};
    for (uint32_t i = 0; i < file->items.count; i++)
        counts.other += !*file->items.at[i].finding.function;
    return counts;
}

static struct columns columns_of(const struct review *review)
{
    struct review_totals totals = review_totals(review);
    return (struct columns){.optimized = totals.optimized || !totals.linted,
                            .linted = totals.linted,
                            .other = totals.count[PTXOPT_ADVICE] + totals.count[PTXOPT_SKIPPED] +
                                     totals.count[PTXOPT_DIAGNOSTIC]};
}

/* Links the name to the kernel's part of the page. A kernel that only ptxas reports has no part. */
static void add_kernel_name(struct buf *out, const struct review_kernel *kernel, uint32_t f,
                            uint32_t k)
{
    uint32_t items = 0;
    for (int kind = 0; kind < PTXOPT_SUPPRESSED; kind++) items += kernel->count[kind];
    if (items) buf_printf(out, "<a href=\"#k%" PRIu32 "-%" PRIu32 "\">", f, k);
    html_code(out, kernel->name);
    if (items) buf_puts(out, "</a>");
}

static void add_count_cell(struct buf *out, uint32_t count)
{
    buf_printf(out, "<td>%" PRIu32 "</td>", count);
}

static void add_counts(struct buf *out, struct columns columns, const struct html_counts *counts)
{
    if (columns.optimized) add_count_cell(out, counts->redundant);
    if (columns.optimized) add_count_cell(out, counts->kept);
    for (int level = 0; columns.linted && level < REVIEW_SEVERITIES; level++)
        add_count_cell(out, counts->hazards[level]);
    if (columns.other) add_count_cell(out, counts->other);
}

static uint32_t count_columns(struct columns columns)
{
    return 1u + 2u * columns.optimized + 3u * columns.linted + columns.other;
}

/* The ptxas figures of the kernel, in a row below its counts, because a phone has no room for more
 * columns. */
static void add_figures_row(struct buf *out, struct columns columns,
                            const struct review_kernel *kernel)
{
    if (!kernel->before || !kernel->after) return;
    buf_printf(out, "<tr><td class=\"soft\" colspan=\"%" PRIu32 "\">", count_columns(columns));
    review_figures(out, kernel);
    if (kernel->before->membars != kernel->after->membars)
        buf_printf(out, ", MEMBARs %" PRIu32 " -> %" PRIu32, kernel->before->membars,
                   kernel->after->membars);
    if (review_is_worse(kernel)) {
        buf_puts(out, "<br><b>");
        review_worse(out, kernel);
        buf_puts(out, "</b>");
    }
    buf_puts(out, "</td></tr>\n");
}

/* kernel: NULL for the items that belong to no kernel. */
static void add_contents_row(struct buf *out, const struct review_file *file,
                             struct columns columns, uint32_t f, const struct review_kernel *kernel)
{
    struct html_counts counts = kernel ? counts_of_kernel(kernel) : counts_of_rest(file);
    buf_puts(out, "<tr><td>");
    if (file->items.count) buf_printf(out, "<a href=\"#f%" PRIu32 "\">", f);
    html_text(out, file->name);
    if (file->items.count) buf_puts(out, "</a>");
    if (kernel) buf_putc(out, ' ');
    if (kernel) add_kernel_name(out, kernel, f, (uint32_t)(kernel - file->kernels.at));
    buf_puts(out, "</td>");
    add_counts(out, columns, &counts);
    buf_puts(out, "</tr>\n");
    if (kernel) add_figures_row(out, columns, kernel);
}

static void add_contents_head(struct buf *out, struct columns columns)
{
    buf_puts(out, "<nav class=\"scroll\"><table class=\"sums\">\n<tr><th>file and kernel</th>");
    if (columns.optimized) buf_puts(out, "<th>redundant</th><th>kept</th>");
    if (columns.linted) buf_puts(out, "<th>errors</th><th>warnings</th><th>notes</th>");
    if (columns.other) buf_puts(out, "<th>other</th>");
    buf_puts(out, "</tr>\n");
}

/* Adds one row for the kernels that have no row of their own. */
static void add_contents_rest(struct buf *out, struct columns columns, uint32_t kernels,
                              const struct html_counts *counts)
{
    if (!kernels) return;
    buf_puts(out, "<tr><td>");
    review_plural(out, kernels, "more kernel");
    buf_puts(out, "</td>");
    add_counts(out, columns, counts);
    buf_puts(out, "</tr>\n");
}

static void add_contents(struct buf *out, const struct review *review)
{
    struct columns columns = columns_of(review);
    struct html_counts rest = {0};
    uint32_t rows = 0, more = 0;
    add_contents_head(out, columns);
    for (uint32_t f = 0; f < review->count; f++) {
        const struct review_file *file = review->files[f];
        for (uint32_t k = 0; k < file->kernels.count; k++) {
            struct html_counts counts = counts_of_kernel(&file->kernels.at[k]);
            if (rows++ < ROWS_MOST)
                add_contents_row(out, file, columns, f, &file->kernels.at[k]);
            else
                counts_add(&rest, &counts), more++;
        }
        if (!file->kernels.count || counts_of_rest(file).other)
            add_contents_row(out, file, columns, f, NULL);
    }
    add_contents_rest(out, columns, more, &rest);
    buf_puts(out, "</table></nav>\n");
}

static void html_add_file(struct buf *out, const struct review_file *file, uint32_t number,
                          struct html_room *room)
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
    html_add_kernels(out, file, number, room);
    buf_puts(out, "</section>\n");
}

void report_html(struct buf *out, const struct review *review)
{
    struct html_room room = {PICTURES_MOST, ITEMS_MOST, out->len + BYTES_MOST};
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
        if (review->files[f]->items.count) html_add_file(out, review->files[f], f, &room);
    if (!room.pictures)
        buf_printf(out, "<p class=\"soft\">The first %d kernels have a picture.</p>\n",
                   PICTURES_MOST);
    buf_puts(out, html_foot);
}
