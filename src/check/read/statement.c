/* Where does this statement of a function body end? See statement.h. Directives are known by name;
 * what is not known is BAD, and its function gets no verdict. */
#include "check/read/statement.h"

/* Directives of a body that end at `;`. */
static const char *const closed_directives[] = {
    ".reg",       ".param", ".local",         ".shared",      ".global",
    ".const",     ".sreg",  ".tex",           ".pragma",      ".align",
    ".attribute", ".surf",  ".branchtargets", ".calltargets", ".callprototype",
};

static struct statement statement_make(enum statement_kind kind, uint32_t start, uint32_t end)
{
    struct statement made = {.kind = kind, .span = {start, end}};
    return made;
}

/* No statement that begins between here and there has an end, as none of one that stands beside it.
 */
static uint32_t no_end(struct statement_memo *memo, uint32_t before)
{
    memo->endless = before;
    return 0;
}

/* Past the `;` of a statement, 0 when a brace or the end comes first. */
static uint32_t semicolon(struct str text, uint32_t pos, struct statement_memo *memo)
{
    if (pos < memo->endless) return 0;
    memo->braces.count = 0;
    for (;;) {
        /* Operands are mostly plain bytes: step over them without making tokens. */
        while (pos < text.n && text.p[pos] != ';' && text.p[pos] != '{' && text.p[pos] != '}' &&
               text.p[pos] != '/' && text.p[pos] != '"' && text.p[pos] != '#')
            pos++;
        struct token token = token_next(text, pos);
        uint32_t start = token.span.start, open = memo->braces.count;
        if (token.kind == TOKEN_END || token.kind == TOKEN_BAD) return no_end(memo, start);
        if (token_is(text, token, ';'))
            return open ? no_end(memo, memo->braces.at[open - 1]) : token.span.end;
        if (token_is(text, token, '{')) vec_push(&memo->braces, start);
        if (token_is(text, token, '}') && !open) return no_end(memo, start);
        if (token_is(text, token, '}')) memo->braces.count--;
        pos = token.span.end;
    }
}

static uint32_t numbers(struct str text, uint32_t pos, int count)
{
    while (count--) {
        struct token token = token_next(text, pos);
        if (token.kind != TOKEN_NUMBER) return 0;
        pos = token.span.end;
    }
    return pos;
}

/* One `, function_name L[+n]` or `, inlined_at f l c` after a .loc; 0 when malformed. */
static uint32_t loc_clause(struct str text, uint32_t pos)
{
    struct token word = token_next(text, pos);
    if (word.kind != TOKEN_NAME) return 0;
    if (str_is(token_text(text, word.span), "inlined_at")) return numbers(text, word.span.end, 3);
    if (!str_is(token_text(text, word.span), "function_name")) return 0;
    struct token label = token_next(text, word.span.end);
    if (label.kind != TOKEN_NAME && label.kind != TOKEN_DOT) return 0;
    struct token plus = token_next(text, label.span.end);
    return token_is(text, plus, '+') ? numbers(text, plus.span.end, 1) : label.span.end;
}

static uint32_t loc_end(struct str text, uint32_t pos)
{
    pos = numbers(text, pos, 3);
    while (pos) {
        struct token comma = token_next(text, pos);
        if (!token_is(text, comma, ',')) break;
        pos = loc_clause(text, comma.span.end);
    }
    return pos;
}

static struct statement directive(struct str text, struct token word, struct statement_memo *memo)
{
    struct str name = token_text(text, word.span);
    uint32_t end = 0;
    if (str_is(name, ".loc") || str_is(name, ".loc_intermediate"))
        end = loc_end(text, word.span.end);
    for (size_t i = 0; !end && i < sizeof closed_directives / sizeof *closed_directives; i++)
        if (str_is(name, closed_directives[i])) end = semicolon(text, word.span.end, memo);
    struct statement made = statement_make(end ? STATEMENT_DIRECTIVE : STATEMENT_BAD,
                                           word.span.start, end ? end : word.span.end);
    made.head = word.span;
    made.modifiers = word.span.end;
    return made;
}

/* `@p` or `@!p` from token; false when it is neither. */
static bool read_guard(struct str text, struct token at, struct statement *made)
{
    struct token name = token_next(text, at.span.end);
    made->negated = token_is(text, name, '!');
    if (made->negated) name = token_next(text, name.span.end);
    made->guard = name.span;
    return name.kind == TOKEN_NAME;
}

static struct statement instruction(struct str text, struct token first,
                                    struct statement_memo *memo)
{
    struct statement made = statement_make(STATEMENT_BAD, first.span.start, first.span.end);
    struct token name = first;
    if (token_is(text, first, '@')) {
        if (!read_guard(text, first, &made)) return made;
        name = token_next(text, made.guard.end);
    }
    if (name.kind != TOKEN_NAME) return made;
    made.head = name.span;
    made.modifiers = name.span.end;
    uint32_t end = semicolon(text, name.span.end, memo);
    if (!end) return made;
    made.kind = STATEMENT_INSTRUCTION;
    made.span.end = end;
    return made;
}

static struct statement next(struct str text, uint32_t pos, struct statement_memo *memo)
{
    struct token first = token_next(text, pos);
    uint32_t start = first.span.start, end = first.span.end;
    if (first.kind == TOKEN_END) return statement_make(STATEMENT_END, start, end);
    if (token_is(text, first, '{')) return statement_make(STATEMENT_OPEN, start, end);
    if (token_is(text, first, '}')) return statement_make(STATEMENT_CLOSE, start, end);
    if (token_is(text, first, ';')) return statement_make(STATEMENT_EMPTY, start, end);
    if (first.kind == TOKEN_DOT) return directive(text, first, memo);
    if (token_is(text, first, '@')) return instruction(text, first, memo);
    if (first.kind != TOKEN_NAME) return statement_make(STATEMENT_BAD, start, end);
    struct token colon = token_next(text, end);
    if (!token_is(text, colon, ':')) return instruction(text, first, memo);
    struct statement label = statement_make(STATEMENT_LABEL, start, colon.span.end);
    label.head = first.span;
    return label;
}

struct statement statement_next(struct str text, uint32_t pos, struct statement_memo *memo)
{
    struct statement_memo own = {0};
    struct statement statement = next(text, pos, memo ? memo : &own);
    vec_free(&own.braces);
    return statement;
}

struct sync_form {
    const char *head, *modifiers;
    enum statement_sync sync;
};

static const struct sync_form sync_forms[] = {
    {"tcgen05", ".wait::ld.sync.aligned", SYNC_WAIT_LD},
    {"tcgen05", ".wait::st.sync.aligned", SYNC_WAIT_ST},
    {"tcgen05", ".wait::ld.aligned.sync", SYNC_WAIT_LD},
    {"tcgen05", ".wait::st.aligned.sync", SYNC_WAIT_ST},
    {"tcgen05", ".fence::before_thread_sync", SYNC_BEFORE},
    {"tcgen05", ".fence::after_thread_sync", SYNC_AFTER},
};

enum statement_sync statement_sync(struct str text, const struct statement *statement)
{
    if (statement->kind != STATEMENT_INSTRUCTION) return SYNC_NONE;
    struct str head = token_text(text, statement->head);
    if (!str_is(head, "tcgen05") && !str_is(head, "fence")) return SYNC_NONE;
    char joined[128];
    size_t n = 0;
    struct token token = token_next(text, statement->modifiers);
    for (; token.kind == TOKEN_DOT; token = token_next(text, token.span.end)) {
        struct str word = token_text(text, token.span);
        if (word.n >= sizeof joined - n) return SYNC_NONE;
        memcpy(joined + n, word.p, word.n);
        n += word.n;
    }
    if (!token_is(text, token, ';')) return SYNC_NONE;
    struct str modifiers = {joined, n};
    for (size_t i = 0; i < sizeof sync_forms / sizeof *sync_forms; i++)
        if (str_is(head, sync_forms[i].head) && str_is(modifiers, sync_forms[i].modifiers))
            return sync_forms[i].sync;
    bool proxy = str_is(head, "fence") && str_starts(modifiers, ".proxy.async") &&
                 (n == strlen(".proxy.async") || joined[strlen(".proxy.async")] == '.' ||
                  joined[strlen(".proxy.async")] == ':');
    return proxy ? SYNC_PROXY : SYNC_NONE;
}
