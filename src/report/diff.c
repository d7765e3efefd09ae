/* The change as a unified diff that git apply and patch take. Names are written as git writes them;
 * there are no times, so the same input gives the same report. Bytes are those of the files. A file
 * outside of the folder is named from the root, since both tools refuse any other name for it. */
#include "report/format.h"

#include <inttypes.h>

/* "a/NAME": quoted where it holds what would end it, with a tab behind where it holds a blank. */
static void add_name(struct buf *out, const char *mark, const char *side, const char *name)
{
    bool quoted = false, blank = false;
    for (const char *c = name; *c; c++) {
        quoted |= *c == '"' || *c == '\\' || (unsigned char)*c < ' ' || *c == 0x7f;
        blank |= *c == ' ';
    }
    buf_printf(out, "%s %s%s/", mark, quoted ? "\"" : "", side);
    for (const char *c = name; *c; c++) {
        if (*c == '"' || *c == '\\')
            buf_printf(out, "\\%c", *c);
        else if ((unsigned char)*c < ' ' || *c == 0x7f)
            buf_printf(out, "\\%03o", (unsigned char)*c);
        else
            buf_putc(out, *c);
    }
    if (quoted)
        buf_putc(out, '"');
    else if (blank)
        buf_putc(out, '\t');
    buf_putc(out, '\n');
}

static void add_range(struct buf *out, char mark, uint32_t first, uint32_t count)
{
    buf_printf(out, " %c%" PRIu32, mark, first);
    if (count != 1) buf_printf(out, ",%" PRIu32, count);
}

static void add_hunk(struct buf *out, const struct review_hunk *hunk)
{
    buf_puts(out, "@@");
    add_range(out, '-', hunk->before_first, hunk->before_count);
    add_range(out, '+', hunk->after_first, hunk->after_count);
    buf_puts(out, " @@\n");
    for (uint32_t i = 0; i < hunk->rows.count; i++) {
        const struct review_row *row = &hunk->rows.at[i];
        buf_putc(out, row->op);
        buf_add(out, row->text.p, row->text.n);
        buf_putc(out, '\n');
        if (row->unended) buf_puts(out, "\\ No newline at end of file\n");
    }
}

void report_diff(struct buf *out, const struct review *review)
{
    for (uint32_t i = 0; i < review->count; i++) {
        const struct review_file *file = review->files[i];
        if (!file->hunks.count) continue;
        const char *name = file->place + (*file->place == '/');
        add_name(out, "---", "a", name);
        add_name(out, "+++", "b", name);
        for (uint32_t h = 0; h < file->hunks.count; h++) add_hunk(out, &file->hunks.at[h]);
    }
}
