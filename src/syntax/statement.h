/* One statement of a PTX text: its kind, and which tokens are its parts. The layers above get the
 * same whether it comes from the tree of the whole text or from a shape. */
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
    STATEMENT_FUNCTION, /* without its body */
    STATEMENT_INSTRUCTION,
    STATEMENT_LABEL,
    STATEMENT_LOC,
    STATEMENT_TARGET,
    STATEMENT_VERSION,
    STATEMENT_BLOCK_BEGIN, /* '{'; after a function with a body it begins the body */
    STATEMENT_BLOCK_END,
    STATEMENT_END, /* the end of the text */
    STATEMENT_ODD  /* the rest of the text is not read, see reader.h */
};

enum part_role {
    PART_NONE,
    /* Parts of an instruction or call, in the order of the text: */
    PART_GUARD, /* the predicate; flag: negated */
    PART_OPCODE,
    PART_MODIFIER,
    PART_OPERAND_NAME, /* for all operands, flag: the operand is a value that a call returns */
    PART_OPERAND_ADDRESS,
    PART_OPERAND_VECTOR,
    PART_OPERAND_OTHER,
    PART_IDENTIFIER, /* an identifier in the last operand; an operand that is a name has one too */
    /* Parts of declarations, labels, functions, files and tables: */
    PART_NAME,
    PART_COUNT, /* in angle brackets after the last name */
    PART_TARGET,
    PART_ENTRY_OR_FUNC, /* the word `.entry` or `.func`; flag: a body follows */
    PART_VERSION,
    PART_NUMBER, /* the number of a file */
    /* Parts of a .loc: */
    PART_FILE,
    PART_LINE,
    PART_COLUMN,
    PART_INLINED_FILE,
    PART_INLINED_LINE,
    PART_INLINED_COLUMN,
};

/* The tokens [first, last] of the statement, as indices in its tokens. */
struct part {
    uint32_t first, last;
    uint8_t role; /* enum part_role */
    bool flag;
};

struct statement {
    enum statement_kind kind;
    struct span span;
    const struct part *parts; /* in the order of the text; parts and tokens are valid until the next
                                 statement is read */
    uint32_t part_count;
    const struct span *tokens;
    /* For an instruction: a number that is the same for all instructions of the text with the same
     * opcode and modifiers; 0: it has no such number. */
    uint32_t head;
};

/* Statements of this kind are used at this depth of blocks (0: module level). */
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
