/* The statements of a text, one after the other, for the layers above. */
#ifndef PTXOPT_SYNTAX_READER_H
#define PTXOPT_SYNTAX_READER_H

#include "syntax/cst.h"
#include "syntax/statement.h"

struct reader;

/* Reads the tree of the whole text, which must outlive the reader. */
struct reader *reader_of_tree(const struct cst *cst);

/* Reads text, borrowed, by the shapes of its statements, from byte start on, where one of the
 * module begins; spans count from the text's first byte. It may end in STATEMENT_ODD: what it is
 * and whether it is PTX is decided by the tree of the whole. */
struct reader *reader_of_text(struct str text, size_t start);

/* Of the module's level only what is used: versions, targets, files and functions; of a
 * function's body everything, with the blocks' brackets. After the last there is only that. */
void reader_next(struct reader *reader, struct statement *statement);

/* Whether what was read so far may hold comments for ptxopt: see text/directive.h. */
bool reader_was_addressed(const struct reader *reader);

void reader_free(struct reader *reader);

#endif
