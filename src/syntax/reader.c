/* Reads one statement after the other, by shapes or from the tree. See reader.h. */
#include "syntax/reader.h"

#include "base/mem.h"
#include "syntax/shape_reader.h"
#include "syntax/tree_reader.h"

struct reader {
    bool by_shapes;
    union {
        struct tree_reader tree;
        struct shape_reader shapes;
    } of;
};

struct reader *reader_of_tree(const struct cst *cst)
{
    struct reader *reader = mem_zalloc(1, sizeof *reader);
    tree_reader_start(&reader->of.tree, cst);
    return reader;
}

struct reader *reader_of_text(struct str text, size_t start)
{
    struct reader *reader = mem_zalloc(1, sizeof *reader);
    reader->by_shapes = true;
    shape_reader_start(&reader->of.shapes, text, start, true);
    return reader;
}

void reader_next(struct reader *reader, struct statement *statement)
{
    if (reader->by_shapes)
        shape_reader_next(&reader->of.shapes, statement);
    else
        tree_reader_next(&reader->of.tree, statement);
}

void reader_leave_out_locs(struct reader *reader)
{
    if (reader->by_shapes) reader->of.shapes.lexer.passes_locs = true;
}

bool reader_was_addressed(const struct reader *reader)
{
    return !reader->by_shapes || reader->of.shapes.lexer.addressed; /* a tree has no comments */
}

void reader_free(struct reader *reader)
{
    if (reader->by_shapes)
        shape_reader_stop(&reader->of.shapes);
    else
        tree_reader_stop(&reader->of.tree);
    mem_free(reader);
}
