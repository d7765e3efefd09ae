/* One statement of a PTX text, as the layers above read it: its kind, and which tokens show
 * that. Whether it comes from the tree of the whole text or from a known shape makes no
 * difference to them. */
#ifndef PTXOPT_SYNTAX_STATEMENT_H
#define PTXOPT_SYNTAX_STATEMENT_H

#include <stdbool.h>

#include "text/span.h"

enum statement_kind {
    STATEMENT_OTHER, /* a kind that is not used */
    STATEMENT_BRANCH_TARGETS,
    STATEMENT_CALL,
    STATEMENT_DECLARATION,
    STATEMENT_FILE,
    STATEMENT_FUNCTION, /* up to its body */
    STATEMENT_INSTRUCTION,
    STATEMENT_LABEL,
    STATEMENT_LOC,
    STATEMENT_TARGET,
    STATEMENT_VERSION,
    STATEMENT_BLOCK_BEGIN, /* '{'; after a function with a body its body */
    STATEMENT_BLOCK_END,
    STATEMENT_END, /* of the text */
    STATEMENT_ODD  /* nothing more is known here, see reader.h */
};

enum part_role {
    PART_NONE,
    /* Of an instruction or call, in order of the text: */
    PART_GUARD, /* the predicate; flag: negated */
    PART_OPCODE,
    PART_MODIFIER,
    PART_OPERAND_NAME, /* … of these, flag: it represents a value that a call returns */
    PART_OPERAND_ADDRESS,
    PART_OPERAND_VECTOR,
    PART_OPERAND_OTHER,
    PART_IDENTIFIER, /* in the last operand; one that is a name has itself */
    /* Of declarations, labels, functions, files and tables: */
    PART_NAME,
    PART_COUNT, /* in angle brackets after the last name */
    PART_TARGET,
    PART_ENTRY_OR_FUNC, /* the word; flag: a body follows */
    PART_VERSION,
    PART_NUMBER, /* of a file */
    /* Of a .loc: */
    PART_FILE,
    PART_LINE,
    PART_COLUMN,
    PART_INLINED_FILE,
    PART_INLINED_LINE,
    PART_INLINED_COLUMN,
};

/* The tokens [first, last] of the statement. */
struct part {
    uint32_t first, last;
    uint8_t role; /* enum part_role */
    bool flag;
};

struct statement {
    enum statement_kind kind;
    struct span span;
    const struct part *parts; /* in the order of the text; until the next statement is read */
    uint32_t part_count;
    const struct span *tokens;
    /* Of an instruction: of one text the same number where opcode and modifiers are spelled the
     * same, 0 when there is none. */
    uint32_t head;
};

/* Whether such statements are used at that depth of blocks. */
static inline bool statement_is_asked_for(enum statement_kind kind, uint32_t depth)
{
    if (depth) return kind != STATEMENT_OTHER;
    return kind == STATEMENT_VERSION || kind == STATEMENT_TARGET || kind == STATEMENT_FILE ||
           kind == STATEMENT_FUNCTION;
}

static inline struct span statement_part(const struct statement *statement, const struct part *part)
{
    return (struct span){statement->tokens[part->first].start, statement->tokens[part->last].end};
}

#endif
