/* Writes the report for people at a terminal (format text): each item with the code around it, its
 * details, and where to read more. */
#include "report/format.h"

#include "report/clean.h"
#include "report/groups.h"
#include "report/text.h"

static void add_bold(struct buf *out, bool color, const char *text)
{
    if (color) buf_puts(out, "\033[1m");
    clean_add(out, str_from(text));
    if (color) buf_puts(out, "\033[0m");
}

static void listing_add_file(struct buf *out, const struct review_file *file, bool color)
{
    struct text_manner manner = {.full = true, .color = color, .verb = "redundant"};
    for (uint32_t i = 0; i < file->items.count; i++) {
        const struct review_item *item = &file->items.at[i];
        manner.place = item->at_source ? TEXT_SOURCE : TEXT_BOTH;
        if (groups_lead(item)) text_item(out, file->name, item, &manner);
    }
    if (*file->no_sass) {
        clean_add(out, str_from(file->name));
        buf_puts(out, ": no machine code is shown: ");
        clean_add(out, str_from(file->no_sass));
        buf_putc(out, '\n');
    }
    for (uint32_t i = 0; i < file->kernels.count; i++) {
        if (!file->kernels.at[i].before) continue;
        add_bold(out, color, file->kernels.at[i].name);
        buf_puts(out, ": ");
        review_figures(out, &file->kernels.at[i]);
        buf_putc(out, '\n');
    }
    for (uint32_t i = 0; i < file->kernels.count; i++) {
        if (!review_is_worse(&file->kernels.at[i])) continue;
        add_bold(out, color, file->kernels.at[i].name);
        buf_puts(out, ": ");
        review_worse(out, &file->kernels.at[i]);
        buf_putc(out, '\n');
    }
}

void report_text(struct buf *out, const struct review *review)
{
    struct buf headline = {0};
    for (uint32_t f = 0; f < review->count; f++)
        listing_add_file(out, review->files[f], review->color);
    review_headline(&headline, review);
    char *text = buf_take(&headline);
    add_bold(out, review->color, text);
    mem_free(text);
    buf_putc(out, '\n');
}
