/* Adds text and places to the HTML report. */
#include "report/html_parts.h"

#include "report/clean.h"

void html_text(struct buf *out, const char *text)
{
    clean_add_html(out, str_from(text));
}

void html_code(struct buf *out, const char *text)
{
    buf_puts(out, "<code>");
    html_text(out, text);
    buf_puts(out, "</code>");
}

struct review_place html_author_place(const struct review_item *item)
{
    return item->stack.count ? item->stack.at[0] : (struct review_place){.source = NULL};
}
