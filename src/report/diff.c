/* Writes the change as a unified diff for git apply and patch. Names are quoted as git quotes them.
 * There are no times, so the same input gives the same report. Bytes are those of the files. A file
 * outside of the current folder is named by its absolute path, because both tools refuse any other
 * name for it. */
#include "report/format.h"

#include <inttypes.h>

#include "report/clean.h"

/* Writes "a/NAME": quoted if it contains a character that would end it, with a tab after it if it
 * contains a blank. */
static void diff_add_name(struct buf *out, const char *mark, const char *side, const char *name)
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

static void diff_add_range(struct buf *out, char mark, uint32_t first, uint32_t count)
{
    buf_printf(out, " %c%" PRIu32, mark, first);
    if (count != 1) buf_printf(out, ",%" PRIu32, count);
}

/* Adds the function and the CUDA line of the first removal in the hunk, after the ranges, where
 * both tools ignore text. The search begins at item *next. */
static void add_title(struct buf *out, const struct review_file *file,
                      const struct review_hunk *hunk, uint32_t *next)
{
    uint32_t end = hunk->before_first + hunk->before_count;
    for (; *next < file->items.count; ++*next) {
        const struct review_item *item = &file->items.at[*next];
        if (item->finding.line >= end) return;
        if (item->finding.kind != PTXOPT_DELETED || item->finding.line < hunk->before_first)
            continue;
        buf_putc(out, ' ');
        clean_add(out, str_from(item->finding.function));
        if (*item->source_says) buf_puts(out, ", ");
        clean_add(out, str_from(item->source_says));
        return;
    }
}

static void diff_add_hunk(struct buf *out, const struct review_file *file,
                          const struct review_hunk *hunk, uint32_t *next)
{
    buf_puts(out, "@@");
    diff_add_range(out, '-', hunk->before_first, hunk->before_count);
    diff_add_range(out, '+', hunk->after_first, hunk->after_count);
    buf_puts(out, " @@");
    add_title(out, file, hunk, next);
    buf_putc(out, '\n');
    for (uint32_t i = 0; i < hunk->rows.count; i++) {
        const struct review_row *row = &hunk->rows.at[i];
        buf_putc(out, row->op);
        buf_add(out, row->text.p, row->text.n);
        buf_putc(out, '\n');
        if (row->unended) buf_puts(out, "\\ No newline at end of file\n");
    }
}

/* Adds the kernels that got worse, in front of the names, where both tools ignore text. */
static void diff_add_worse(struct buf *out, const struct review_file *file)
{
    for (uint32_t i = 0; i < file->kernels.count; i++) {
        if (!review_is_worse(&file->kernels.at[i])) continue;
        buf_puts(out, "ptxopt: ");
        clean_add(out, str_from(file->kernels.at[i].name));
        buf_puts(out, ": ");
        review_worse(out, &file->kernels.at[i]);
        buf_putc(out, '\n');
    }
}

void report_diff(struct buf *out, const struct review *review)
{
    for (uint32_t i = 0; i < review->count; i++) {
        const struct review_file *file = review->files[i];
        if (!file->hunks.count) continue;
        const char *name = file->place + (*file->place == '/');
        diff_add_worse(out, file);
        diff_add_name(out, "---", "a", name);
        diff_add_name(out, "+++", "b", name);
        uint32_t next = 0;
        for (uint32_t h = 0; h < file->hunks.count; h++)
            diff_add_hunk(out, file, &file->hunks.at[h], &next);
    }
}
