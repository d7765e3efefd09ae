/* The statements of a text by their shapes, as reader.h has them. */
#ifndef PTXOPT_SYNTAX_SHAPE_READER_H
#define PTXOPT_SYNTAX_SHAPE_READER_H

#include "syntax/shape.h"

struct shape_reader {
    struct lexer lexer;
    struct heads heads;
    struct shapes *shapes;
    struct token_list *tokens; /* of the statement that is being read */
    bool odd;
    bool at_body;   /* the last token opens a function's body */
    uint32_t depth; /* of open blocks */
};

/* known as in shapes_new, the rest as in reader_of_text. */
void shape_reader_start(struct shape_reader *reader, struct str text, size_t start, bool known);
void shape_reader_next(struct shape_reader *reader, struct statement *statement);
void shape_reader_stop(struct shape_reader *reader);

#endif
