/* The syntax tree of a PTX text, from the grammar tree-sitter-ptx. Only this folder uses
 * tree-sitter; the other folders use kinds, fields and spans. */
#ifndef PTXOPT_SYNTAX_CST_H
#define PTXOPT_SYNTAX_CST_H

#include <stdbool.h>

#include "text/diag.h"

/* The kinds of nodes that are used. The kind of all other nodes is CST_OTHER. */
enum cst_kind {
    CST_OTHER,
    CST_ADDRESS,
    CST_ADDRESS_SIZE_DIRECTIVE,
    CST_ALIGNMENT,
    CST_ARGUMENT_LIST,
    CST_ATTRIBUTE,
    CST_ATTRIBUTE_LIST,
    CST_BINARY_EXPRESSION,
    CST_BLOCK,
    CST_BRANCH_TARGETS,
    CST_CALL_INSTRUCTION,
    CST_CALL_TARGETS,
    CST_CAST_EXPRESSION,
    CST_CONDITIONAL_EXPRESSION,
    CST_DEBUG_DATA,
    CST_DECLARATOR,
    CST_DIMENSION,
    CST_DIRECTIVE_NAME,
    CST_FILE_DIRECTIVE,
    CST_FLOAT,
    CST_FUNCTION_DEFINITION,
    CST_FUNCTION_DIRECTIVE,
    CST_GENERIC_EXPRESSION,
    CST_GUARD,
    CST_IDENTIFIER,
    CST_INITIALIZER_LIST,
    CST_INSTRUCTION,
    CST_INTEGER,
    CST_INTEGER_LIST,
    CST_LABEL,
    CST_LINKAGE,
    CST_LOC_DIRECTIVE,
    CST_MASK_EXPRESSION,
    CST_MEMBER,
    CST_MODIFIER,
    CST_NEGATION,
    CST_OPCODE,
    CST_PAIR,
    CST_PARAMETER,
    CST_PARENTHESIZED_EXPRESSION,
    CST_POINTER_ATTRIBUTE,
    CST_PROTOTYPE_DECLARATION,
    CST_RANGE_TARGET,
    CST_SECTION,
    CST_SECTION_NAME,
    CST_SELECTOR,
    CST_SINK,
    CST_SOURCE_FILE,
    CST_STATE_SPACE,
    CST_STRING,
    CST_SUBSCRIPT,
    CST_SYMBOL_OFFSET,
    CST_TARGET_DIRECTIVE,
    CST_TYPE,
    CST_UNARY_EXPRESSION,
    CST_UNKNOWN_DIRECTIVE,
    CST_VARIABLE_DECLARATION,
    CST_VECTOR,
    CST_VECTOR_TYPE,
    CST_VERSION_DIRECTIVE,
    CST_VERSION_NUMBER,
    CST_KIND_COUNT
};

enum cst_field {
    CST_FIELD_NONE,
    CST_FIELD_ARGUMENT,
    CST_FIELD_ARGUMENTS,
    CST_FIELD_BANK,
    CST_FIELD_BASE,
    CST_FIELD_BODY,
    CST_FIELD_CALLEE,
    CST_FIELD_COLUMN,
    CST_FIELD_COORDINATE,
    CST_FIELD_COUNT,
    CST_FIELD_FILE,
    CST_FIELD_FUNCTION,
    CST_FIELD_FUNCTION_NAME,
    CST_FIELD_INDEX,
    CST_FIELD_INLINED_COLUMN,
    CST_FIELD_INLINED_FILE,
    CST_FIELD_INLINED_LINE,
    CST_FIELD_KIND,
    CST_FIELD_LABEL,
    CST_FIELD_LEFT,
    CST_FIELD_LINE,
    CST_FIELD_NAME,
    CST_FIELD_NEGATED,
    CST_FIELD_OBJECT,
    CST_FIELD_OFFSET,
    CST_FIELD_OPERAND,
    CST_FIELD_OPERATOR,
    CST_FIELD_QUALIFIER,
    CST_FIELD_REGISTER,
    CST_FIELD_RETURN,
    CST_FIELD_RIGHT,
    CST_FIELD_SELECTOR,
    CST_FIELD_SIZE,
    CST_FIELD_SPACE,
    CST_FIELD_TARGET,
    CST_FIELD_TYPE,
    CST_FIELD_VALUE,
    CST_FIELD_VERSION,
    CST_FIELD_NAMES
};

struct cst;

/* Parses source, which is borrowed. Comments and line markers are not in the tree. If the text is
 * not PTX, returns NULL and adds a few diagnostics, from the first error on. The caller calls
 * cst_free. */
struct cst *cst_parse(const struct source *source, struct arena *arena, struct diag_list *diags);
void cst_free(struct cst *cst);

/* The names of kinds and fields in the generated parser; in arena. */
struct cst_names;
const struct cst_names *cst_names(struct arena *arena);

/* Parses a short text, which is borrowed only during the call. NULL if it is not PTX. The caller
 * calls cst_free. */
struct cst *cst_parse_sample(struct str text, const struct cst_names *names);

/* Where a statement is. */
enum cst_place { CST_IN_MODULE, CST_IN_BODY };

/* Returns a cursor on the only statement of the text, or of the body of its first function. NULL if
 * there is not exactly one. The caller calls cst_cursor_free. */
struct cst_cursor *cst_only_statement(const struct cst *cst, enum cst_place place);

/* Appends the tree to out as an indented outline with byte spans, for --dump=cst. */
struct buf;
void cst_dump(const struct cst *cst, struct buf *out);

/* A walk over the tree, which begins at the root. cst_down, cst_next and cst_up return true if they
 * have moved. */
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
