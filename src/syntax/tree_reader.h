/* Reads the statements of a syntax tree, for reader.h. */
#ifndef PTXOPT_SYNTAX_TREE_READER_H
#define PTXOPT_SYNTAX_TREE_READER_H

#include "syntax/parts.h"

struct tree_reader {
    struct cst_cursor *cursor;
    bool more;      /* the cursor is on a node that was not read yet */
    bool at_body;   /* this node is the body of a function */
    uint32_t depth; /* number of open blocks */
    struct part_list parts;
};

void tree_reader_start(struct tree_reader *reader, const struct cst *cst);
void tree_reader_next(struct tree_reader *reader, struct statement *statement);
void tree_reader_stop(struct tree_reader *reader);

#endif
