/* Prints the machine code around a removal in two columns. */
#include <inttypes.h>

#include "report/clean.h"
#include "report/sass_change.h"

struct sass_change sass_change_copy(struct arena *arena, const struct sass_change *change)
{
    struct sass_change copy = {.says = arena_copy(arena, change->says, strlen(change->says))};
    for (uint32_t i = 0; i < change->rows.count; i++) {
        struct sass_row row = change->rows.at[i];
        if (row.before_text)
            row.before_text = arena_copy(arena, row.before_text, strlen(row.before_text));
        if (row.after_text)
            row.after_text = arena_copy(arena, row.after_text, strlen(row.after_text));
        vec_push(&copy.rows, row);
    }
    return copy;
}

enum { WIDEST = 56, OFFSET = 8 }; /* of the left column; of an offset and its blanks */

/* The width of the left column: that of its longest text, at most WIDEST. */
static size_t width_of(const struct sass_change *change)
{
    size_t width = 0;
    for (uint32_t i = 0; i < change->rows.count; i++) {
        const char *text = change->rows.at[i].before_text;
        size_t len = text ? strlen(text) : 0;
        if (len > width) width = len < WIDEST ? len : WIDEST;
    }
    return width;
}

/* Adds "0x1c90  NOP", padded to width. */
static void add_side(struct buf *out, uint32_t offset, const char *text, size_t width)
{
    struct buf cell = {0};
    if (text) {
        buf_printf(&cell, "0x%04" PRIx32 "  ", offset);
        clean_add(&cell, str_from(text));
    }
    while (cell.len < width) buf_putc(&cell, ' ');
    buf_add(out, cell.data, cell.len);
    buf_free(&cell);
}

void sass_change_columns(struct buf *out, const struct sass_change *change)
{
    size_t width = OFFSET + width_of(change);
    if (!change->rows.count) return;
    buf_printf(out, "      %-*s | after\n", (int)width, "before");
    for (uint32_t i = 0; i < change->rows.count; i++) {
        const struct sass_row *row = &change->rows.at[i];
        if (row->op == '.') {
            buf_puts(out, "      …\n");
            continue;
        }
        buf_printf(out, "    %c ", row->op);
        add_side(out, row->before, row->before_text, width);
        buf_puts(out, row->after_text ? " | " : " |");
        add_side(out, row->after, row->after_text, 0);
        buf_putc(out, '\n');
    }
}
