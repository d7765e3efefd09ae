/* Decides if the grammar accepts a text. The automaton of the generated parser and nothing more:
 * no tree, no recovery from errors. Its time is linear in every text, and its stack bounds what
 * libtree-sitter holds at once. libtree-sitter's own recovery does neither: a node for an error may
 * gather any number of children (0.20.7 counts them in 16 bits and frees twice beyond), and a
 * hundred kilobytes of some texts take it ten seconds. So it is given what is accepted here, and of
 * other texts only the surroundings of the first error. */
#include "syntax/accept.h"

#include <stdbool.h>

#include "base/vec.h"
#include "base/work.h"
#include "tree-sitter-ptx/src/tree_sitter/parser.h"

const TSLanguage *tree_sitter_ptx(void);

enum { START_STATE = 1 };  /* 0 is that of an error */
enum { BYTES_A_UNIT = 8 }; /* of a token, as work */

/* What the generated lexer reads from: bytes, as every character beyond ASCII is as good as
 * another. */
struct lexer {
    TSLexer at; /* first, so that the callbacks find the rest */
    struct str text;
    uint32_t pos, start, end; /* of the token: start after blanks, end where it was last accepted */
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

/* The next token that is possible in state, as at.result_symbol; false when there is none. */
static bool lexer_next(struct lexer *lexer, const TSLanguage *language, TSStateId state)
{
    lexer->pos = lexer->start = lexer->end;
    lexer_look(lexer);
    return language->lex_fn(&lexer->at, language->lex_modes[state].lex_state);
}

/* The table's entry for symbol in state: for a terminal the index of its actions, else the state to
 * go to; 0 when there is none. */
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

/* What to do at symbol in state, NULL when it cannot be there. Where a repetition could also go
 * on it is first reduced, as libtree-sitter does. */
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

/* Reduces until the token symbol is shifted; false when it is not possible here, or is the text's
 * end. */
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
