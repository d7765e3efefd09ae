/* The parts of a statement: its opcode, modifiers, operands and names. Read from its syntax tree;
 * the only place that depends on where the grammar puts them. */
#ifndef PTXOPT_SYNTAX_PARTS_H
#define PTXOPT_SYNTAX_PARTS_H

#include "base/vec.h"
#include "syntax/cst.h"
#include "syntax/statement.h"

/* Each part has one entry of spans: its first and its last. */
struct part_list {
    struct VEC(struct part) parts;
    struct VEC(struct span) spans;
};

/* Reads the parts of the statement at the cursor, which is not a block, in place of those in list;
 * of a function with a body the cursor is left on that, else where it was. */
enum statement_kind parts_read(struct part_list *list, struct cst_cursor *cursor);

void parts_free(struct part_list *list);

#endif
