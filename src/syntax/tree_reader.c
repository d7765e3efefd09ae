/* Reads statements from the syntax tree. See tree_reader.h. */
#include "syntax/tree_reader.h"

void tree_reader_start(struct tree_reader *reader, const struct cst *cst)
{
    *reader = (struct tree_reader){.cursor = cst_cursor_new(cst)};
    reader->more = cst_down(reader->cursor);
}

void tree_reader_stop(struct tree_reader *reader)
{
    cst_cursor_free(reader->cursor);
    parts_free(&reader->parts);
}

static void begin_block(struct tree_reader *reader, struct statement *statement)
{
    uint32_t start = cst_span(reader->cursor).start;
    *statement = (struct statement){.kind = STATEMENT_BLOCK_BEGIN, .span = {start, start + 1}};
    reader->more = cst_down(reader->cursor);
    reader->at_body = false;
    reader->depth++;
}

static void end_block(struct tree_reader *reader, struct statement *statement)
{
    cst_up(reader->cursor);
    uint32_t end = cst_span(reader->cursor).end;
    *statement = (struct statement){.kind = STATEMENT_BLOCK_END, .span = {end - 1, end}};
    if (--reader->depth == 0) cst_up(reader->cursor); /* from the body to the function */
    reader->more = cst_next(reader->cursor);
}

void tree_reader_next(struct tree_reader *reader, struct statement *statement)
{
    while (reader->more) {
        if (cst_kind(reader->cursor) == CST_BLOCK && (reader->depth || reader->at_body)) break;
        struct span span = cst_span(reader->cursor);
        enum statement_kind kind = parts_read(&reader->parts, reader->cursor);
        reader->at_body = kind == STATEMENT_FUNCTION && cst_kind(reader->cursor) == CST_BLOCK;
        if (!reader->at_body) reader->more = cst_next(reader->cursor);
        if (!statement_is_asked_for(kind, reader->depth)) continue;
        *statement = (struct statement){.kind = kind,
                                        .span = span,
                                        .parts = reader->parts.parts.at,
                                        .part_count = reader->parts.parts.count,
                                        .tokens = reader->parts.spans.at};
        return;
    }
    if (reader->more)
        begin_block(reader, statement);
    else if (reader->depth)
        end_block(reader, statement);
    else
        *statement = (struct statement){.kind = STATEMENT_END};
}
