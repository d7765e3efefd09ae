/* Splits a text into tokens without its syntax: each kind of token is one terminal of the grammar
 * in every state of the parser. A token for which this depends on the state is TOKEN_ODD, and the
 * parser must decide. tests/unit/test_token.c compares this with the generated lexer in each state.
 */
#ifndef PTXOPT_SYNTAX_TOKEN_H
#define PTXOPT_SYNTAX_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"
#include "syntax/head.h"
#include "text/span.h"

/* The most tokens of a statement. If a statement has more, the parser reads the whole text. A
 * tcgen05.ld of 128 registers has 270, a table of 700 branch targets 1,400. */
enum { TOKEN_LIST_MAX = 1 << 15 };

enum token_kind {
    TOKEN_END, /* the end of the text */
    TOKEN_ODD, /* the parser must decide its kind, or it is not PTX */
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
    TOKEN_FIRST_SIGN = '!', /* the kind of a sign is its byte; signs with a name: */
    TOKEN_NOT = '!',
    TOKEN_PLUS = '+',
    TOKEN_COMMA = ',',
    TOKEN_COLON = ':',
    TOKEN_SEMICOLON = ';',
    TOKEN_AT = '@',
    TOKEN_LEFT_BRACE = '{',
    TOKEN_RIGHT_BRACE = '}',
    TOKEN_LAST_SIGN = '~',
    /* Words with a dot that are in the grammar: */
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

/* The tokens of a statement that were taken so far. */
struct token_list {
    uint64_t hash; /* of the kinds, see token_hash; not set if is_usual */
    bool is_usual; /* the kinds are what is usual after the head, and are not set */
    uint32_t count;
    uint32_t head; /* of an instruction: 1 + the index of its head in heads; 0: no head has exactly
                      its opcode and modifiers */
    uint8_t kinds[TOKEN_LIST_MAX]; /* enum token_kind */
    struct span spans[TOKEN_LIST_MAX];
};

struct lexer {
    const char *text, *at, *end;
    bool addressed;   /* a comment read so far may be for ptxopt, see text/directive.h */
    bool passes_locs; /* lexer_take_instruction moves past `.loc` first; set by the caller */
};

/* Begins at byte start of text, which is borrowed; spans count from the first byte of text. False
 * if the text cannot be read: it has a NUL byte, or its last byte may continue a token. */
bool lexer_start(struct lexer *lexer, struct str text, size_t start);

/* Returns the kind of the next token, and does not move. */
enum token_kind lexer_peek(struct lexer *lexer);

/* Appends the next token to list and returns its kind. TOKEN_END and TOKEN_ODD are not appended,
 * and no token can be taken after them. If list is full, the token is TOKEN_ODD. */
enum token_kind lexer_take(struct lexer *lexer, struct token_list *list);

/* As lexer_take, for the token after .version. */
enum token_kind lexer_take_version(struct lexer *lexer, struct token_list *list);

/* Takes `count` tokens, at least one, or fewer if an odd token or the end comes first. Returns the
 * kind of the last one, as lexer_take. */
enum token_kind lexer_take_some(struct lexer *lexer, struct token_list *list, uint32_t count);

/* Takes an instruction including its ';', in which each word with a dot after the opcode is a
 * modifier, or a label including its ':'. A token that can begin neither is taken alone. Returns
 * the kind of the first token, or TOKEN_ODD. Sets list->head and list->is_usual, which must be 0
 * and false. */
enum token_kind lexer_take_instruction(struct lexer *lexer, struct heads *heads,
                                       struct token_list *list);

/* Takes the rest of a guard, whose '@' was taken: a '!' or none, and a token. False if one is odd,
 * or at the end. */
bool lexer_take_guard(struct lexer *lexer, struct token_list *list);

/* Takes tokens up to and including the next one of kind last. False if an odd token or the end
 * comes first. */
bool lexer_take_through(struct lexer *lexer, struct token_list *list, enum token_kind last);

/* Moves past the next token and returns its kind. */
enum token_kind lexer_skip(struct lexer *lexer);

/* Moves past the next token of kind last without taking tokens. False if an odd token or the end
 * comes first, or if more than `most` brackets are open at once. */
bool lexer_skip_through(struct lexer *lexer, enum token_kind last, uint32_t most);

/* Returns the hash of a sequence of kinds, from the hash of the sequence without its last kind. The
 * hash of the empty sequence is 0. */
static inline uint64_t token_hash(uint64_t hash, enum token_kind kind)
{
    return (hash ^ (uint64_t)kind) * 0x9e3779b97f4a7c15u;
}

/* Appends a short text of this kind, which must be neither TOKEN_END nor TOKEN_ODD. */
void token_add_sample(struct buf *out, enum token_kind kind);

#endif
