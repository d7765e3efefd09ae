/* Prints the machine code that a removal changed, in two columns. */
#include <inttypes.h>

#include "report/clean.h"
#include "report/html_parts.h"

/* An empty line in place of an instruction that the other side does not have. */
static void html_add_sass_row(struct buf *out, const struct sass_row *row, bool after)
{
    const char *text = after ? row->after_text : row->before_text;
    const char *tag = row->op == '-' ? "del" : row->op == '+' ? "ins" : "mark";
    if (row->op == '.') {
        buf_puts(out, "<em>\xe2\x8b\xaf</em>");
        return;
    }
    if (!text) {
        buf_putc(out, '\n');
        return;
    }
    if (row->op != ' ') buf_printf(out, "<%s>", tag);
    buf_puts(out, row->op == '-' || row->op == '+' ? " " : "  "); /* beside the style's sign */
    buf_printf(out, "0x%04" PRIx32 "  ", after ? row->after : row->before);
    clean_add_html(out, str_from(text));
    if (row->op == ' ')
        buf_putc(out, '\n');
    else
        buf_printf(out, "</%s>", tag);
}

static void html_add_sass_column(struct buf *out, const struct sass_change *change, bool after)
{
    buf_puts(out, "<pre>");
    for (uint32_t i = 0; i < change->rows.count; i++)
        html_add_sass_row(out, &change->rows.at[i], after);
    buf_puts(out, "</pre>");
}

void html_add_sass(struct buf *out, const struct sass_change *change)
{
    if (!change->says || !*change->says) return;
    buf_puts(out, "<p><span class=\"soft\">machine code:</span> ");
    html_text(out, change->says);
    buf_puts(out, "</p>\n");
    if (!change->rows.count) return;
    buf_puts(out, "<div class=\"lines sass\">");
    html_add_sass_column(out, change, false);
    html_add_sass_column(out, change, true);
    buf_puts(out, "</div>\n");
}
