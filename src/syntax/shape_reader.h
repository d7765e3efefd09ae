/* Reads the statements of a text by their shapes, for reader.h. */
#ifndef PTXOPT_SYNTAX_SHAPE_READER_H
#define PTXOPT_SYNTAX_SHAPE_READER_H

#include "syntax/shape.h"

struct shape_reader {
    struct lexer lexer;
    struct heads heads;
    struct shapes *shapes;
    struct token_list *tokens; /* of the current statement */
    bool odd;
    bool at_body;   /* the last token opens the body of a function */
    uint32_t depth; /* number of open blocks */
};

/* known: see shapes_new; text and start: see reader_of_text. The caller calls shape_reader_stop. */
void shape_reader_start(struct shape_reader *reader, struct str text, size_t start, bool known);
void shape_reader_next(struct shape_reader *reader, struct statement *statement);
void shape_reader_stop(struct shape_reader *reader);

#endif
