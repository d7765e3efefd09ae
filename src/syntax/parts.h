/* Finds the parts of a statement in its syntax tree: opcode, modifiers, operands and names. This is
 * the only place that depends on where the grammar has them. */
#ifndef PTXOPT_SYNTAX_PARTS_H
#define PTXOPT_SYNTAX_PARTS_H

#include "base/vec.h"
#include "syntax/cst.h"
#include "syntax/statement.h"

/* first and last of a part are the same index in spans. */
struct part_list {
    struct VEC(struct part) parts;
    struct VEC(struct span) spans;
};

/* Replaces list by the parts of the statement at the cursor, which must not be a block. For a
 * function with a body, leaves the cursor on the body; otherwise the cursor does not move.
 * Zero-initialise list at first; the caller calls parts_free. */
enum statement_kind parts_read(struct part_list *list, struct cst_cursor *cursor);

void parts_free(struct part_list *list);

#endif
