/* Reads the statements of a text, one after the other, for the layers above. */
#ifndef PTXOPT_SYNTAX_READER_H
#define PTXOPT_SYNTAX_READER_H

#include "syntax/cst.h"
#include "syntax/statement.h"

struct reader;

/* Reads the tree of the whole text, which is borrowed and must outlive the reader. The caller calls
 * reader_free. */
struct reader *reader_of_tree(const struct cst *cst);

/* Reads text, borrowed, by the shapes of its statements, from byte start on, at which a statement
 * of module level must begin. Spans count from the first byte of text. If the last statement is
 * STATEMENT_ODD, only the tree of the whole text can decide what follows, and whether it is PTX.
 * The caller calls reader_free. */
struct reader *reader_of_text(struct str text, size_t start);

/* Reads the next statement. At module level, returns only the kinds that are used: versions,
 * targets, files and functions; in the body of a function, returns all statements and the brackets
 * of blocks. After the last statement it returns STATEMENT_END (or STATEMENT_ODD) each time. */
void reader_next(struct reader *reader, struct statement *statement);

/* From now on, reader_next may leave out STATEMENT_LOC. */
void reader_leave_out_locs(struct reader *reader);

/* The text read so far may have comments for ptxopt, see text/directive.h. */
bool reader_was_addressed(const struct reader *reader);

void reader_free(struct reader *reader);

#endif
