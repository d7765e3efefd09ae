/* Counts the items for which a page has no room, by what they are. The filter of the page finds the
 * rows. */
#include <inttypes.h>

#include "base/intern.h"
#include "report/clean.h"
#include "report/groups.h"
#include "report/html_parts.h"

/* Items that differ only in their places. */
struct rest_row {
    const struct review_item *item; /* the first of them */
    uint32_t count;
};

struct rest_rows VEC(struct rest_row);

/* Appends the key by which items are grouped: the label, the opcode, the code and the reason. */
static void rest_add_key(struct buf *key, const struct review_item *item)
{
    const struct ptxopt_finding *finding = &item->finding;
    buf_printf(key, "%s\n%.*s\n%s\n%s", review_label(item), (int)strcspn(finding->text, " ;{["),
               finding->text, finding->code, finding->reason);
}

static void collect_rest(struct rest_rows *rows, const struct review_file *file, uint32_t first)
{
    struct intern keys = {0};
    struct arena arena = {0};
    const struct review_item *end = &file->items.at[first];
    for (uint32_t i = 0; i < file->items.count; i++) {
        const struct review_item *item = &file->items.at[i];
        struct buf text = {0};
        if ((item->group ? item->group->leader : item) < end) continue;
        rest_add_key(&text, item);
        struct str key = {arena_copy(&arena, text.data, text.len), text.len};
        uint32_t index = intern_add(&keys, 0, key);
        if (index == rows->count) vec_push(rows, (struct rest_row){item, 0});
        rows->at[index].count++;
        buf_free(&text);
    }
    intern_free(&keys);
    arena_free(&arena);
}

static void rest_add_row(struct buf *out, const struct rest_row *row)
{
    const struct ptxopt_finding *finding = &row->item->finding;
    struct str opcode = {finding->text, strcspn(finding->text, " ;{[")};
    buf_printf(out,
               "<tr class=\"%s\" data-count=\"%" PRIu32 "\"><td>%" PRIu32
               "</td><td>%s</td><td><code>",
               html_class(row->item), row->count, row->count, review_label(row->item));
    clean_add_html(out, opcode);
    buf_puts(out, "</code></td><td>");
    html_code(out, finding->code);
    if (*finding->reason) buf_puts(out, ": ");
    html_text(out, finding->reason);
    buf_printf(out, "</td><td>PTX line %" PRIu32 "</td></tr>\n", finding->line);
}

void html_add_rest(struct buf *out, const struct review_file *file, uint32_t first)
{
    struct rest_rows rows = {0};
    uint32_t count = 0;
    if (first < file->items.count) collect_rest(&rows, file, first);
    for (uint32_t i = 0; i < rows.count; i++) count += rows.at[i].count;
    if (count) {
        buf_puts(out, "<h3>");
        review_plural(out, count, "more finding");
        buf_printf(out,
                   "</h3>\n<p class=\"soft\">This page has no room for those from PTX line %" PRIu32
                   " on. They are counted here; the reports <code>text</code>, <code>json</code> "
                   "and <code>ndjson</code> have each of them.</p>\n<div class=\"scroll\"><table "
                   "class=\"sums rest\">\n<tr><th>count</th><th>kind</th><th>instruction</th>"
                   "<th>rule or code</th><th>first at</th></tr>\n",
                   file->items.at[first].finding.line);
        for (uint32_t i = 0; i < rows.count; i++) rest_add_row(out, &rows.at[i]);
        buf_puts(out, "</table></div>\n");
    }
    vec_free(&rows);
}
