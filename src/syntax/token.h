/* The tokens of a text without its syntax: each kind is one terminal of the grammar, in
 * whatever state of the parser it is read. What depends on that state is TOKEN_ODD, and for the
 * parser to decide. tests/unit/test_token.c holds this against the generated lexer, state by
 * state. */
#ifndef PTXOPT_SYNTAX_TOKEN_H
#define PTXOPT_SYNTAX_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"
#include "syntax/head.h"
#include "text/span.h"

/* Tokens of a statement; a longer one is for the parser, with all of its text. A tcgen05.ld of 128
 * registers has 270, a table of 700 branch targets 1,400. */
enum { TOKEN_LIST_MAX = 1 << 15 };

enum token_kind {
    TOKEN_END, /* of the text */
    TOKEN_ODD, /* the parser must decide what it is, or it is not PTX */
    TOKEN_IDENTIFIER,
    TOKEN_CALL,
    TOKEN_SINK,
    TOKEN_INTEGER,
    TOKEN_FLOAT,
    TOKEN_VERSION_NUMBER,
    TOKEN_STRING,
    TOKEN_MODIFIER,
    TOKEN_VECTOR_TYPE,
    /* Operators of two bytes: */
    TOKEN_SHIFT_LEFT,
    TOKEN_SHIFT_RIGHT,
    TOKEN_LESS_EQUAL,
    TOKEN_GREATER_EQUAL,
    TOKEN_EQUAL,
    TOKEN_NOT_EQUAL,
    TOKEN_AND,
    TOKEN_OR,
    TOKEN_FIRST_SIGN = '!', /* a sign is its own byte; those with a name: */
    TOKEN_NOT = '!',
    TOKEN_PLUS = '+',
    TOKEN_COMMA = ',',
    TOKEN_COLON = ':',
    TOKEN_SEMICOLON = ';',
    TOKEN_AT = '@',
    TOKEN_LEFT_BRACE = '{',
    TOKEN_RIGHT_BRACE = '}',
    TOKEN_LAST_SIGN = '~',
    /* Words with a dot that the grammar has: */
    TOKEN_DOT_ADDRESS_SIZE,
    TOKEN_DOT_ALIAS,
    TOKEN_DOT_ALIGN,
    TOKEN_DOT_ATTRIBUTE,
    TOKEN_DOT_BRANCHTARGETS,
    TOKEN_DOT_CALLPROTOTYPE,
    TOKEN_DOT_CALLTARGETS,
    TOKEN_DOT_COMMON,
    TOKEN_DOT_CONST,
    TOKEN_DOT_ENTRY,
    TOKEN_DOT_EXTERN,
    TOKEN_DOT_FILE,
    TOKEN_DOT_FUNC,
    TOKEN_DOT_GLOBAL,
    TOKEN_DOT_LOC,
    TOKEN_DOT_LOCAL,
    TOKEN_DOT_PARAM,
    TOKEN_DOT_PRAGMA,
    TOKEN_DOT_PTR,
    TOKEN_DOT_REG,
    TOKEN_DOT_SECTION,
    TOKEN_DOT_SHARED,
    TOKEN_DOT_TARGET,
    TOKEN_DOT_TEX,
    TOKEN_DOT_VERSION,
    TOKEN_DOT_VISIBLE,
    TOKEN_DOT_WEAK,
    TOKEN_KINDS
};

/* The tokens of a statement, as far as they were taken. */
struct token_list {
    uint64_t hash; /* of the kinds, see token_hash */
    uint32_t count;
    uint32_t
        head; /* of an instruction: 1 + the number of its head in heads, 0 when none is it all */
    uint8_t kinds[TOKEN_LIST_MAX]; /* enum token_kind */
    struct span spans[TOKEN_LIST_MAX];
};

struct lexer {
    const char *text, *at, *end;
    bool addressed; /* a comment spoke to ptxopt so far: see text/directive.h */
};

/* Begins at byte start of text, which is borrowed; spans count from the text's first byte. False
 * when it cannot be read: what follows holds a NUL byte, or ends so that its last token may go on.
 */
bool lexer_start(struct lexer *lexer, struct str text, size_t start);

/* What the next token is; it is read again when it is taken. */
enum token_kind lexer_peek(struct lexer *lexer);

/* Takes the next token to the end of list. After TOKEN_END and TOKEN_ODD there is none; they are
 * not added. A token that the list has no room for is odd. */
enum token_kind lexer_take(struct lexer *lexer, struct token_list *list);

/* The same after .version. */
enum token_kind lexer_take_version(struct lexer *lexer, struct token_list *list);

/* Takes count tokens, at least one; fewer when an odd one or the end comes first. Returns the last
 * kind, as before. */
enum token_kind lexer_take_some(struct lexer *lexer, struct token_list *list, uint32_t count);

/* Takes an instruction through its ';', where every word with a dot after the opcode is a
 * modifier, or a label through its ':'. What can begin neither is taken alone. Returns the kind of
 * the first token, or TOKEN_ODD; list->head is set. */
enum token_kind lexer_take_instruction(struct lexer *lexer, struct heads *heads,
                                       struct token_list *list);

/* Takes tokens through the next one of kind last; false when an odd one or the end comes first. */
bool lexer_take_through(struct lexer *lexer, struct token_list *list, enum token_kind last);

/* Moves past the next token and returns its kind. */
enum token_kind lexer_skip(struct lexer *lexer);

/* Moves past the next token of kind last and takes none; false as before, or when more than most
 * brackets are open at once. */
bool lexer_skip_through(struct lexer *lexer, enum token_kind last, uint32_t most);

/* The hash of some kinds, and of one kind more after them; that of none is 0. */
static inline uint64_t token_hash(uint64_t hash, enum token_kind kind)
{
    return (hash ^ (uint64_t)kind) * 0x9e3779b97f4a7c15u;
}

/* Appends a short text of that kind, which is neither TOKEN_END nor TOKEN_ODD. */
void token_add_sample(struct buf *out, enum token_kind kind);

#endif
