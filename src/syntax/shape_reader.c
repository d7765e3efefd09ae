/* Reads statements from the text by their shapes. The first tokens of a statement decide where it
 * ends; the tokens up to there are collected, and their shape is looked up. The parser refuses a
 * shape with any other end, so an error in this file only means that the whole text is parsed. See
 * shape_reader.h. */
#include "syntax/shape_reader.h"

#include "base/mem.h"
#include "base/work.h"
#include "syntax/accept.h"
#include "syntax/section.h"

enum { DEPTH_MAX = 1000 }; /* of brackets, far below the limit of the parser */

void shape_reader_start(struct shape_reader *reader, struct str text, size_t start, bool known)
{
    *reader = (struct shape_reader){.shapes = shapes_new(known)};
    reader->odd = !lexer_start(&reader->lexer, text, start);
    reader->tokens = mem_alloc(sizeof *reader->tokens);
}

void shape_reader_stop(struct shape_reader *reader)
{
    shapes_free(reader->shapes);
    heads_free(&reader->heads);
    mem_free(reader->tokens);
}

static enum token_kind reader_peek(struct shape_reader *reader)
{
    return lexer_peek(&reader->lexer);
}

static enum token_kind reader_take(struct shape_reader *reader)
{
    return lexer_take(&reader->lexer, reader->tokens);
}

static enum token_kind take_instruction(struct shape_reader *reader)
{
    return lexer_take_instruction(&reader->lexer, &reader->heads, reader->tokens);
}

static bool take_through(struct shape_reader *reader, enum token_kind last)
{
    return lexer_take_through(&reader->lexer, reader->tokens, last);
}

static bool take_some(struct shape_reader *reader, uint32_t count)
{
    return lexer_take_some(&reader->lexer, reader->tokens, count) > TOKEN_ODD;
}

/* ---- statements of a body: each function collects the tokens after the first; false if the
 * statement is odd ---- */

/* Collects `.loc 1 2 3, function_name $x+4, inlined_at 1 2 3`, which ends before the first token
 * that cannot continue it. */
static bool gather_loc(struct shape_reader *reader)
{
    if (!take_some(reader, 3)) return false;
    while (reader_peek(reader) == TOKEN_COMMA) {
        if (!take_some(reader, 3)) return false; /* the comma, a word, and a name or number */
        bool number = reader->tokens->kinds[reader->tokens->count - 1] == TOKEN_INTEGER;
        if ((number || reader_peek(reader) == TOKEN_PLUS) && !take_some(reader, 2)) return false;
    }
    return true;
}

static bool is_of_label(enum token_kind kind)
{
    return kind == TOKEN_DOT_BRANCHTARGETS || kind == TOKEN_DOT_CALLPROTOTYPE ||
           kind == TOKEN_DOT_CALLTARGETS;
}

/* Collects the rest of an instruction, or of a table after its label. */
static bool gather_rest(struct shape_reader *reader)
{
    enum token_kind last = (enum token_kind)reader->tokens->kinds[reader->tokens->count - 1];
    bool is_table = last == TOKEN_COLON && is_of_label(reader_peek(reader));
    return !is_table || take_through(reader, TOKEN_SEMICOLON);
}

static bool gather_guarded(struct shape_reader *reader)
{
    return lexer_take_guard(&reader->lexer, reader->tokens) &&
           take_instruction(reader) > TOKEN_ODD && gather_rest(reader);
}

/* Collects the rest of a statement whose first token, or instruction, is of kind first. */
static bool gather_of_body(struct shape_reader *reader, enum token_kind first)
{
    switch (first) {
    case TOKEN_END:
    case TOKEN_ODD: return false;
    case TOKEN_IDENTIFIER:
    case TOKEN_CALL: return gather_rest(reader);
    case TOKEN_AT: return gather_guarded(reader);
    case TOKEN_DOT_LOC: return gather_loc(reader);
    case TOKEN_LEFT_BRACE:
    case TOKEN_RIGHT_BRACE:
    case TOKEN_SEMICOLON: return true; /* a statement of one token */
    default: return take_through(reader, TOKEN_SEMICOLON);
    }
}

/* ---- statements of a module ---- */

/* Skips a statement whose content is not used. False if it is not PTX. */
static bool skip_through(struct shape_reader *reader, enum token_kind last)
{
    const char *start = reader->lexer.text + reader->tokens->spans[0].start;
    if (!lexer_skip_through(&reader->lexer, last, DEPTH_MAX)) return false;
    struct str text = {start, (size_t)(reader->lexer.at - start)};
    reader->tokens->count = 0;
    return accept_piece(text);
}

static bool skip_section(struct shape_reader *reader)
{
    struct lexer behind = reader->lexer;
    if (!section_is_plain(&behind)) return skip_through(reader, TOKEN_RIGHT_BRACE);
    reader->lexer = behind;
    reader->tokens->count = 0;
    return true;
}

/* Collects a declaration, which ends with ';', or the head of a function, which ends with the '{'
 * of its body. */
static bool gather_declaration(struct shape_reader *reader)
{
    enum token_kind kind = (enum token_kind)reader->tokens->kinds[0];
    bool is_function = false;
    for (; kind > TOKEN_ODD; kind = reader_take(reader)) {
        if (kind == TOKEN_SEMICOLON || (kind == TOKEN_LEFT_BRACE && is_function)) return true;
        is_function |= kind == TOKEN_DOT_ENTRY || kind == TOKEN_DOT_FUNC;
        bool full = reader->tokens->count == TOKEN_LIST_MAX;
        if (full && !is_function) return skip_through(reader, TOKEN_SEMICOLON);
    }
    return false;
}

static bool gather_target(struct shape_reader *reader)
{
    if (reader_take(reader) <= TOKEN_ODD) return false;
    while (reader_peek(reader) == TOKEN_COMMA)
        if (!take_some(reader, 2)) return false;
    return true;
}

static bool gather_file(struct shape_reader *reader)
{
    return take_some(reader, 2) && (reader_peek(reader) != TOKEN_COMMA || take_some(reader, 4));
}

static bool gather_of_module(struct shape_reader *reader)
{
    switch (reader_take(reader)) {
    case TOKEN_DOT_VERSION: return lexer_take_version(&reader->lexer, reader->tokens) > TOKEN_ODD;
    case TOKEN_DOT_TARGET: return gather_target(reader);
    case TOKEN_DOT_ADDRESS_SIZE: return reader_take(reader) > TOKEN_ODD;
    case TOKEN_DOT_SECTION: return skip_section(reader);
    case TOKEN_DOT_FILE: return gather_file(reader);
    case TOKEN_DOT_ALIAS:
    case TOKEN_DOT_PRAGMA: return take_through(reader, TOKEN_SEMICOLON);
    case TOKEN_DOT_COMMON:
    case TOKEN_DOT_CONST:
    case TOKEN_DOT_ENTRY:
    case TOKEN_DOT_EXTERN:
    case TOKEN_DOT_FUNC:
    case TOKEN_DOT_GLOBAL:
    case TOKEN_DOT_LOCAL:
    case TOKEN_DOT_PARAM:
    case TOKEN_DOT_REG:
    case TOKEN_DOT_SHARED:
    case TOKEN_DOT_TEX:
    case TOKEN_DOT_VISIBLE:
    case TOKEN_DOT_WEAK: return gather_declaration(reader);
    default: return false;
    }
}

/* ---- all statements ---- */

static bool gather_statement(struct shape_reader *reader)
{
    struct token_list *tokens = reader->tokens;
    tokens->count = 0;
    tokens->hash = 0;
    tokens->head = 0;
    tokens->is_usual = false;
    if (!reader->depth) return gather_of_module(reader);
    enum token_kind first = take_instruction(reader);
    return tokens->is_usual || gather_of_body(reader, first);
}

/* Sets *statement from all tokens of the list, which have this shape. */
static inline void make_statement(struct statement *statement, const struct shape *shape,
                                  const struct token_list *tokens)
{
    const struct span *last = &tokens->spans[tokens->count - 1];
    *statement = (struct statement){.kind = (enum statement_kind)shape->kind,
                                    .span = {tokens->spans[0].start, last->end},
                                    .parts = shape->parts,
                                    .part_count = shape->part_count,
                                    .tokens = tokens->spans,
                                    .head = tokens->head};
}

/* Returns the shape of the collected tokens. */
static const struct shape *shape_of_tokens(struct shape_reader *reader)
{
    const struct token_list *tokens = reader->tokens;
    const struct shape *shape =
        shapes_find(reader->shapes, reader->depth ? CST_IN_BODY : CST_IN_MODULE, tokens);
    bool is_instruction = shape->kind == STATEMENT_INSTRUCTION || shape->kind == STATEMENT_CALL;
    if (tokens->head && tokens->kinds[0] != TOKEN_AT && shape->holds && is_instruction) {
        struct head *head = &reader->heads.at.at[tokens->head - 1];
        head->usual = shape->kinds;
        head->usual_shape = shape;
    }
    return shape;
}

/* Sets *statement from the collected tokens. False if their shape does not decide. */
static bool classify_statement(struct shape_reader *reader, struct statement *statement)
{
    const struct token_list *tokens = reader->tokens;
    work_spend(1 + tokens->count);
    if (!tokens->count) { /* the statement was skipped */
        *statement = (struct statement){.kind = STATEMENT_OTHER};
        return true;
    }
    const struct shape *shape = shape_of_tokens(reader);
    make_statement(statement, shape, tokens);
    reader->at_body = !reader->depth && tokens->kinds[tokens->count - 1] == TOKEN_LEFT_BRACE;
    return shape->holds;
}

static void next_bracket(struct shape_reader *reader, struct statement *statement, bool opens)
{
    const struct token_list *tokens = reader->tokens;
    *statement = (struct statement){.kind = opens ? STATEMENT_BLOCK_BEGIN : STATEMENT_BLOCK_END,
                                    .span = tokens->spans[tokens->count - 1]};
    reader->depth += opens ? 1 : UINT32_MAX;
    reader->odd |= reader->depth > DEPTH_MAX;
    reader->at_body = false;
}

/* Reads a statement for which no tokens are collected. False if the next one is not such a
 * statement. */
static bool next_simple(struct shape_reader *reader, struct statement *statement)
{
    if (reader->odd) {
        *statement = (struct statement){.kind = STATEMENT_ODD};
        return true;
    }
    if (reader->at_body) {
        next_bracket(reader, statement, true);
        return true;
    }
    if (reader->depth || reader_peek(reader) != TOKEN_END) return false;
    *statement = (struct statement){.kind = STATEMENT_END};
    return true;
}

void shape_reader_next(struct shape_reader *reader, struct statement *statement)
{
    while (!next_simple(reader, statement)) {
        reader->odd = !gather_statement(reader);
        if (reader->odd) continue;
        if (reader->tokens->is_usual) {
            work_spend(1 + reader->tokens->count);
            const struct head *head = &reader->heads.at.at[reader->tokens->head - 1];
            make_statement(statement, head->usual_shape, reader->tokens);
            return;
        }
        enum token_kind first = (enum token_kind)reader->tokens->kinds[0];
        bool alone = reader->depth && reader->tokens->count == 1;
        if (alone && first == TOKEN_SEMICOLON) continue;
        if (alone) {
            next_bracket(reader, statement, first == TOKEN_LEFT_BRACE);
            return;
        }
        reader->odd = !classify_statement(reader, statement);
        if (!reader->odd && statement_is_asked_for(statement->kind, reader->depth)) return;
    }
}
