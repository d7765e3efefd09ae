/* The syntax tree of a PTX text, as tree-sitter-ptx gives it. This folder is the only one that
 * knows tree-sitter; the rest sees kinds, fields and spans. */
#ifndef PTXOPT_SYNTAX_CST_H
#define PTXOPT_SYNTAX_CST_H

#include <stdbool.h>

#include "text/diag.h"

/* Node kinds of the grammar that somebody asks for; the rest is CST_OTHER. */
enum cst_kind {
    CST_OTHER,
    CST_ADDRESS,
    CST_BLOCK,
    CST_BRANCH_TARGETS,
    CST_CALL_INSTRUCTION,
    CST_DECLARATOR,
    CST_FILE_DIRECTIVE,
    CST_FUNCTION_DEFINITION,
    CST_GUARD,
    CST_IDENTIFIER,
    CST_INSTRUCTION,
    CST_LABEL,
    CST_LOC_DIRECTIVE,
    CST_MODIFIER,
    CST_OPCODE,
    CST_RANGE_TARGET,
    CST_TARGET_DIRECTIVE,
    CST_VARIABLE_DECLARATION,
    CST_VECTOR,
    CST_VERSION_DIRECTIVE,
    CST_KIND_COUNT
};

enum cst_field {
    CST_FIELD_NONE,
    CST_FIELD_ARGUMENTS,
    CST_FIELD_BODY,
    CST_FIELD_CALLEE,
    CST_FIELD_COLUMN,
    CST_FIELD_COUNT,
    CST_FIELD_FILE,
    CST_FIELD_INDEX,
    CST_FIELD_INLINED_COLUMN,
    CST_FIELD_INLINED_FILE,
    CST_FIELD_INLINED_LINE,
    CST_FIELD_KIND,
    CST_FIELD_LABEL,
    CST_FIELD_LINE,
    CST_FIELD_NAME,
    CST_FIELD_NEGATED,
    CST_FIELD_OPERAND,
    CST_FIELD_REGISTER,
    CST_FIELD_RETURN,
    CST_FIELD_TARGET,
    CST_FIELD_VERSION,
    CST_FIELD_NAMES
};

struct cst;

/* Parses source; comments and line markers are not in the tree. NULL, with diagnostics, when the
 * text is not PTX: up to a handful of errors, from the first on. Release with cst_free. */
struct cst *cst_parse(const struct source *source, struct arena *arena, struct diag_list *diags);
void cst_free(struct cst *cst);

/* What the generated parser calls kinds and fields; in arena. */
struct cst_names;
const struct cst_names *cst_names(struct arena *arena);

/* Parses text, which is short and borrowed for the call; NULL when it is not PTX. */
struct cst *cst_parse_sample(struct str text, const struct cst_names *names);

/* Where a statement stands. */
enum cst_place { CST_IN_MODULE, CST_IN_BODY };

/* A cursor on the only statement of the text, or of the body that it starts with; NULL when there
 * are more or none. */
struct cst_cursor *cst_only_statement(const struct cst *cst, enum cst_place place);

/* The tree as an indented outline with byte spans, for --dump=cst; appended to out. */
struct buf;
void cst_dump(const struct cst *cst, struct buf *out);

/* A walk over the tree; starts at the root. cst_down, cst_next and cst_up say whether they
 * moved. */
struct cst_cursor;
struct cst_cursor *cst_cursor_new(const struct cst *cst);
void cst_cursor_free(struct cst_cursor *cursor);
bool cst_down(struct cst_cursor *cursor);
bool cst_next(struct cst_cursor *cursor);
bool cst_up(struct cst_cursor *cursor);
enum cst_kind cst_kind(const struct cst_cursor *cursor);
enum cst_field cst_field(const struct cst_cursor *cursor);
struct span cst_span(const struct cst_cursor *cursor);

#endif
