/* Decides whether the grammar accepts a text. This is only the automaton of the generated parser:
 * it makes no tree and does not recover from errors. Its time is linear for every text, and the
 * limit of its stack is also a limit for libtree-sitter. The error recovery of libtree-sitter has
 * no such limits: a node for an error may get any number of children (0.20.7 counts them in 16
 * bits, and frees memory twice if there are more), and some texts of a hundred kilobytes take ten
 * seconds. So libtree-sitter gets only texts that are accepted here, and of other texts only the
 * part around the first error. See accept.h. */
#include "syntax/accept.h"

#include <stdbool.h>

#include "base/vec.h"
#include "base/work.h"
#include "tree-sitter-ptx/src/tree_sitter/parser.h"

const TSLanguage *tree_sitter_ptx(void);

enum { START_STATE = 1 };  /* 0 is the state of an error */
enum { BYTES_A_UNIT = 8 }; /* the bytes of a token that are one unit of work */

/* The input of the generated lexer. It reads bytes, because the grammar does not distinguish
 * characters beyond ASCII. */
struct lexer {
    TSLexer at; /* first, because the callbacks cast a pointer to it */
    struct str text;
    /* of the token: start is after blanks, end is the last accepted end */
    uint32_t pos, start, end;
};

static void lexer_look(struct lexer *lexer)
{
    uint32_t pos = lexer->pos;
    lexer->at.lookahead = pos < lexer->text.n ? (unsigned char)lexer->text.p[pos] : 0;
}

static void lexer_advance(TSLexer *at, bool skip)
{
    struct lexer *lexer = (struct lexer *)at;
    lexer->pos += lexer->pos < lexer->text.n;
    if (skip) lexer->start = lexer->pos;
    lexer_look(lexer);
}

static void lexer_mark_end(TSLexer *at)
{
    struct lexer *lexer = (struct lexer *)at;
    lexer->end = lexer->pos;
}

static bool lexer_eof(const TSLexer *at)
{
    const struct lexer *lexer = (const struct lexer *)at;
    return lexer->pos >= lexer->text.n;
}

/* Reads the next token that is possible in state; its symbol is at.result_symbol. False if there is
 * none. */
static bool lexer_next(struct lexer *lexer, const TSLanguage *language, TSStateId state)
{
    lexer->pos = lexer->start = lexer->end;
    lexer_look(lexer);
    return language->lex_fn(&lexer->at, language->lex_modes[state].lex_state);
}

/* Returns the table's entry for symbol in state: for a terminal the index of its actions, for other
 * symbols the next state; 0 if there is none. */
static uint16_t table_entry(const TSLanguage *language, TSStateId state, TSSymbol symbol)
{
    if (state < language->large_state_count)
        return language->parse_table[state * language->symbol_count + symbol];
    uint32_t small = state - language->large_state_count;
    const uint16_t *row = language->small_parse_table + language->small_parse_table_map[small];
    for (uint16_t groups = *row++; groups; groups--) {
        uint16_t value = *row++;
        for (uint16_t symbols = *row++; symbols; symbols--)
            if (*row++ == symbol) return value;
    }
    return 0;
}

/* Returns the action for symbol in state; NULL if the symbol is not possible there. If a repetition
 * could also continue, it is reduced first, as in libtree-sitter. */
static const TSParseAction *action_at(const TSLanguage *language, TSStateId state, TSSymbol symbol)
{
    const TSParseActionEntry *entry =
        &language->parse_actions[table_entry(language, state, symbol)];
    for (uint8_t i = 1; i <= entry->entry.count; i++) {
        const TSParseAction *action = &entry[i].action;
        if (action->type != TSParseActionTypeShift || !action->shift.repetition) return action;
    }
    return NULL;
}

struct states VEC(TSStateId);

/* Reduces until the token symbol is shifted. False if the symbol is not possible here, or is the
 * end of the text. */
static bool take_token(const TSLanguage *language, struct states *states, TSSymbol symbol,
                       const TSParseAction **last)
{
    for (;;) {
        TSStateId state = states->at[states->count - 1];
        const TSParseAction *action = *last = action_at(language, state, symbol);
        if (!action) return false;
        if (action->type == TSParseActionTypeShift) {
            if (!action->shift.extra) vec_push(states, action->shift.state);
            return true;
        }
        if (action->type != TSParseActionTypeReduce) return false;
        states->count -= action->reduce.child_count;
        state = states->at[states->count - 1];
        TSStateId next = table_entry(language, state, action->reduce.symbol);
        vec_push(states, next);
    }
}

static enum acceptance run_automaton(struct lexer *lexer, struct states *states, bool is_piece)
{
    const TSLanguage *language = tree_sitter_ptx();
    uint32_t most = is_piece ? ACCEPT_STACK_MAX / 2 : ACCEPT_STACK_MAX;
    vec_push(states, START_STATE);
    while (lexer_next(lexer, language, states->at[states->count - 1])) {
        const TSParseAction *last;
        work_spend(1 + (lexer->end - lexer->start) / BYTES_A_UNIT);
        if (!take_token(language, states, lexer->at.result_symbol, &last))
            return last && last->type == TSParseActionTypeAccept ? ACCEPTED : ACCEPT_UNEXPECTED;
        if (last->shift.extra && !is_piece) return ACCEPT_COMMENT;
        if (states->count > most) return ACCEPT_TOO_DEEP;
    }
    return ACCEPT_UNEXPECTED;
}

static enum acceptance automaton_accept(struct str text, bool is_piece, uint32_t *at)
{
    static const char BYTE_ORDER_MARK[] = "\xef\xbb\xbf";
    struct lexer lexer = {
        .at = {.advance = lexer_advance, .mark_end = lexer_mark_end, .eof = lexer_eof},
        .text = text,
    };
    if (!is_piece && str_starts(text, BYTE_ORDER_MARK)) lexer.end = sizeof BYTE_ORDER_MARK - 1;
    struct states states = {0};
    enum acceptance acceptance = run_automaton(&lexer, &states, is_piece);
    vec_free(&states);
    *at = lexer.start;
    return acceptance;
}

enum acceptance accept_text(struct str text, uint32_t *at)
{
    return automaton_accept(text, false, at);
}

bool accept_piece(struct str text)
{
    uint32_t at;
    return automaton_accept(text, true, &at) == ACCEPTED;
}
