/* Finds the end of each statement of a function body. See statement.h. Directives are recognised by
 * name; an unknown one is STATEMENT_BAD, and its function gets no verdict. */
#include "check/read/statement.h"

#include "base/work.h"

/* Directives inside a body that end with `;`. */
static const char *const closed_directives[] = {
    ".reg",       ".param", ".local",         ".shared",      ".global",
    ".const",     ".sreg",  ".tex",           ".pragma",      ".align",
    ".attribute", ".surf",  ".branchtargets", ".calltargets", ".callprototype",
};

/* Records that no statement that begins before this offset has an end. Returns 0. */
static uint32_t no_end(struct statement_memo *memo, uint32_t before)
{
    memo->endless = before;
    return 0;
}

/* Returns the offset after the `;` of a statement; 0 if a `}` without a `{`, a `;` inside braces,
 * or the end of the text comes first. */
static uint32_t semicolon_end(struct str text, uint32_t pos, struct statement_memo *memo)
{
    if (pos < memo->endless) return 0;
    memo->braces.count = 0;
    for (;;) {
        pos = token_stop(text, pos);
        work_spend(1);
        char c = pos < text.n ? text.p[pos] : '\0';
        uint32_t open = memo->braces.count;
        if (c == ';') return open ? no_end(memo, memo->braces.at[open - 1]) : pos + 1;
        if (c == '}' && !open) return no_end(memo, pos);
        if (c == '{') vec_push(&memo->braces, pos);
        if (c == '}') memo->braces.count--;
        if (c == '{' || c == '}') {
            pos++;
            continue;
        }
        struct token token = token_next(text, pos);
        if (token.kind == TOKEN_END || token.kind == TOKEN_BAD)
            return no_end(memo, token.span.start);
        /* not a string: the text after a comment is searched from the next token on */
        pos = c == '"' || token.span.start == pos ? token.span.end : token.span.start;
    }
}

static uint32_t numbers_end(struct str text, uint32_t pos, int count)
{
    while (count--) {
        pos = token_skip(text, pos);
        if (!token_class_at(text, pos, TOKEN_CLASS_DIGIT)) return 0;
        pos = token_number_end(text, pos);
    }
    return pos;
}

/* Returns the end of `, function_name L[+n]` or `, inlined_at f l c` after a .loc; 0 if it is
 * malformed. */
static uint32_t loc_clause(struct str text, uint32_t pos)
{
    struct token word = token_next(text, pos);
    if (word.kind != TOKEN_NAME) return 0;
    if (str_is(token_text(text, word.span), "inlined_at"))
        return numbers_end(text, word.span.end, 3);
    if (!str_is(token_text(text, word.span), "function_name")) return 0;
    struct token label = token_next(text, word.span.end);
    if (label.kind != TOKEN_NAME && label.kind != TOKEN_DOT) return 0;
    struct token plus = token_next(text, label.span.end);
    return token_is(text, plus, '+') ? numbers_end(text, plus.span.end, 1) : label.span.end;
}

static uint32_t loc_end(struct str text, uint32_t pos)
{
    pos = numbers_end(text, pos, 3);
    while (pos) {
        uint32_t comma = token_skip(text, pos);
        if (comma >= text.n || text.p[comma] != ',') break;
        pos = loc_clause(text, comma + 1);
    }
    return pos;
}

static void read_directive_statement(struct str text, struct token word,
                                     struct statement_memo *memo, struct statement *made)
{
    struct str name = token_text(text, word.span);
    uint32_t end = 0;
    if (str_is(name, ".loc") || str_is(name, ".loc_intermediate"))
        end = loc_end(text, word.span.end);
    for (size_t i = 0; !end && i < sizeof closed_directives / sizeof *closed_directives; i++)
        if (str_is(name, closed_directives[i])) end = semicolon_end(text, word.span.end, memo);
    made->kind = end ? STATEMENT_DIRECTIVE : STATEMENT_BAD;
    if (end) made->span.end = end;
    made->head = word.span;
    made->modifiers = word.span.end;
}

/* Reads `@p` or `@!p` at the token. Returns false if it is neither. */
static bool statement_read_guard(struct str text, struct token at, struct statement *made)
{
    struct token name = token_next(text, at.span.end);
    made->negated = token_is(text, name, '!');
    if (made->negated) name = token_next(text, name.span.end);
    made->guard = name.span;
    return name.kind == TOKEN_NAME;
}

/* Reads an instruction from the first word of its opcode on. */
static void read_instruction_statement(struct str text, struct span head,
                                       struct statement_memo *memo, struct statement *made)
{
    made->head = head;
    made->modifiers = head.end;
    uint32_t end = semicolon_end(text, head.end, memo);
    if (!end) return;
    made->kind = STATEMENT_INSTRUCTION;
    made->span.end = end;
}

static void read_guarded_statement(struct str text, struct token at, struct statement_memo *memo,
                                   struct statement *made)
{
    if (!statement_read_guard(text, at, made)) return;
    struct token name = token_next(text, made->guard.end);
    if (name.kind == TOKEN_NAME) read_instruction_statement(text, name.span, memo, made);
}

/* Reads an instruction of the form of statement_plain_end. Returns false if it has another form. */
static bool read_plain_statement(struct str text, uint32_t pos, const struct statement_memo *memo,
                                 struct statement *made)
{
    uint32_t end = pos < memo->endless ? 0 : statement_plain_end(text, pos);
    if (!end) return false;
    uint32_t head = token_word_end(text, pos + 1);
    *made = (struct statement){
        .kind = STATEMENT_INSTRUCTION, .span = {pos, end}, .head = {pos, head}, .modifiers = head};
    return true;
}

/* Reads a label, or an instruction without a guard. */
static void read_named_statement(struct str text, struct span name, struct statement_memo *memo,
                                 struct statement *made)
{
    uint32_t colon = token_skip(text, name.end);
    if (colon >= text.n || text.p[colon] != ':') {
        read_instruction_statement(text, name, memo, made);
        return;
    }
    made->kind = STATEMENT_LABEL;
    made->span.end = colon + 1;
    made->head = name;
}

static enum statement_kind statement_kind_of(char first)
{
    switch (first) {
    case '{': return STATEMENT_OPEN;
    case '}': return STATEMENT_CLOSE;
    case ';': return STATEMENT_EMPTY;
    default: return STATEMENT_BAD;
    }
}

/* Reads a statement that does not begin with a letter. */
static void read_other_statement(struct str text, uint32_t pos, struct statement_memo *memo,
                                 struct statement *made)
{
    struct token first = token_next(text, pos);
    made->span = first.span;
    if (first.kind == TOKEN_END) made->kind = STATEMENT_END;
    if (first.kind == TOKEN_DOT) read_directive_statement(text, first, memo, made);
    if (token_is(text, first, '@')) read_guarded_statement(text, first, memo, made);
    if (first.kind == TOKEN_NAME) read_named_statement(text, first.span, memo, made);
}

struct statement statement_next(struct str text, uint32_t pos, struct statement_memo *memo)
{
    struct statement_memo own = {0};
    struct statement made = {.kind = STATEMENT_BAD};
    if (!memo) memo = &own;
    pos = token_skip(text, pos);
    if (read_plain_statement(text, pos, memo, &made)) return made;
    made.kind = pos < text.n ? statement_kind_of(text.p[pos]) : STATEMENT_BAD;
    made.span = (struct span){pos, pos + 1};
    if (made.kind != STATEMENT_BAD) return made;
    if (token_class_at(text, pos, TOKEN_CLASS_LETTER)) {
        made.span.end = token_word_end(text, pos + 1);
        read_named_statement(text, made.span, memo, &made);
    } else {
        read_other_statement(text, pos, memo, &made);
    }
    if (own.braces.at) vec_free(&own.braces);
    return made;
}

struct sync_form {
    struct str opcode;
    enum statement_sync sync;
};

#define FORM(opcode, sync)                                                                         \
    {                                                                                              \
        {opcode, sizeof opcode - 1}, sync                                                          \
    }

static const struct sync_form sync_forms[] = {
    FORM("tcgen05.wait::ld.sync.aligned", SYNC_WAIT_LD),
    FORM("tcgen05.wait::st.sync.aligned", SYNC_WAIT_ST),
    FORM("tcgen05.fence::before_thread_sync", SYNC_BEFORE),
    FORM("tcgen05.fence::after_thread_sync", SYNC_AFTER),
    FORM("tcgen05.wait::ld.aligned.sync", SYNC_WAIT_LD),
    FORM("tcgen05.wait::st.aligned.sync", SYNC_WAIT_ST),
};

static enum statement_sync sync_form_of(struct str opcode)
{
    for (size_t i = 0; i < sizeof sync_forms / sizeof *sync_forms; i++)
        if (str_eq(opcode, sync_forms[i].opcode)) return sync_forms[i].sync;
    return SYNC_NONE;
}

static bool is_proxy_opcode(struct str opcode)
{
    static const char proxy[] = "fence.proxy.async";
    size_t n = sizeof proxy - 1;
    return str_starts(opcode, proxy) && (opcode.n == n || opcode.p[n] == '.' || opcode.p[n] == ':');
}

/* Whether word is the first modifier of a statement that may be removed. */
static bool begins_sync(struct str word)
{
    return str_starts(word, ".wait::") || str_starts(word, ".fence::") || str_is(word, ".proxy");
}

enum statement_sync statement_sync_form(struct str text, const struct statement *statement)
{
    enum { HEAD_MAX = 7, MODIFIERS_MAX = 127 };
    struct str head = token_text(text, statement->head);
    if (!str_is(head, "tcgen05") && !str_is(head, "fence")) return SYNC_NONE;
    enum statement_sync usual = sync_form_of(
        token_text(text, (struct span){statement->head.start, statement->span.end - 1}));
    if (usual != SYNC_NONE) return usual;
    char joined[HEAD_MAX + MODIFIERS_MAX];
    memcpy(joined, head.p, head.n);
    size_t n = head.n;
    struct token token = token_next(text, statement->modifiers);
    for (; token.kind == TOKEN_DOT; token = token_next(text, token.span.end)) {
        struct str word = token_text(text, token.span);
        if (n == head.n && !begins_sync(word)) return SYNC_NONE;
        if (word.n > head.n + MODIFIERS_MAX - n) return SYNC_NONE;
        memcpy(joined + n, word.p, word.n);
        n += word.n;
    }
    if (!token_is(text, token, ';')) return SYNC_NONE;
    struct str opcode = {joined, n};
    return is_proxy_opcode(opcode) ? SYNC_PROXY : sync_form_of(opcode);
}
