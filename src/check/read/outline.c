/* One pass over the whole text. At module level only what leads to a function body matters:
 * `{` opens one when .entry or .func came last; other braces are skipped. See outline.h. */
#include "check/read/outline.h"

#include "base/work.h"

/* Past the brace that closes the one before pos; the end of text when there is none. */
static uint32_t skip_braces(struct str text, uint32_t pos)
{
    for (uint32_t depth = 1; depth;) {
        pos = token_stop(text, pos);
        struct token token = token_next(text, pos);
        if (token.kind == TOKEN_END) return (uint32_t)text.n;
        if (token_is(text, token, '{')) depth++;
        if (token_is(text, token, '}')) depth--;
        pos = token.span.end;
    }
    return pos;
}

static void add_site(struct outline *outline, struct str text, const struct statement *statement,
                     uint32_t gap)
{
    enum statement_sync sync = statement_sync(text, statement);
    if (sync == SYNC_NONE) return;
    vec_push(&outline->sites, (struct outline_site){
                                  .span = statement->span,
                                  .gap = gap,
                                  .function = outline->functions.count - 1,
                                  .sync = sync,
                                  .guarded = statement->guard.end > statement->guard.start,
                              });
}

/* The end of a plain instruction that is no site; 0 when it is not that plain. */
static uint32_t plain_end(struct str text, uint32_t start, const struct statement_memo *memo)
{
    /* tcgen05, fence */
    bool may_be = text.n - start >= 2 &&
                  (!memcmp(text.p + start, "tc", 2) || !memcmp(text.p + start, "fe", 2));
    work_spend(1);
    return may_be || start < memo->endless ? 0 : statement_plain_end(text, start);
}

/* Reads the body of the last function; returns the end of its closing brace. */
static uint32_t read_body(struct outline *outline, struct str text, struct statement_memo *memo)
{
    struct outline_function *function = &outline->functions.at[outline->functions.count - 1];
    uint32_t pos = function->body, depth = 1;
    while (depth) {
        uint32_t start = token_skip(text, pos), end = plain_end(text, start, memo);
        if (end) {
            pos = end;
            continue;
        }
        struct statement statement = statement_next(text, start, memo);
        if (statement.kind == STATEMENT_END) break;
        if (statement.kind == STATEMENT_OPEN) depth++;
        if (statement.kind == STATEMENT_CLOSE) depth--;
        if (statement.kind == STATEMENT_INSTRUCTION) add_site(outline, text, &statement, pos);
        pos = statement.span.end;
    }
    function->whole.end = pos;
    return pos;
}

/* The first name after .entry or .func outside the list of return parameters. */
static struct span function_name(struct str text, uint32_t pos)
{
    uint32_t depth = 0;
    for (int i = 0; i < 1000; i++) {
        struct token token = token_next(text, pos);
        if (token.kind == TOKEN_END || token_is(text, token, '{')) break;
        if (token_is(text, token, '(')) depth++;
        if (token_is(text, token, ')') && depth) depth--;
        if (token.kind == TOKEN_NAME && !depth) return token.span;
        pos = token.span.end;
    }
    return (struct span){0, 0};
}

static uint32_t parse_number(struct str digits, size_t *at)
{
    uint32_t value = 0;
    for (; *at < digits.n && digits.p[*at] >= '0' && digits.p[*at] <= '9'; (*at)++)
        if (value < 1000) value = value * 10 + (uint32_t)(digits.p[*at] - '0');
    return value;
}

static void read_version(struct outline *outline, struct str text, uint32_t pos)
{
    struct token token = token_next(text, pos);
    if (token.kind != TOKEN_NUMBER) return;
    struct str digits = token_text(text, token.span);
    size_t at = 0;
    outline->isa_major = parse_number(digits, &at);
    if (at < digits.n && digits.p[at] == '.') at++;
    outline->isa_minor = parse_number(digits, &at);
}

/* Directives after which a brace does not open a function. */
static bool ends_function_header(struct str word)
{
    static const char *const words[] = {
        ".global",
        ".const",
        ".shared",
        ".local",
        ".tex",
        ".surf",
        ".section",
        ".alias",
        ".file",
        ".version",
        ".target",
        ".address_size",
        ".visible",
        ".extern",
        ".weak",
        ".common",
        ".nv_intermediate_source_section",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(word, words[i])) return true;
    return false;
}

/* What stands open at module level. */
struct header {
    uint32_t start, parens;
    bool open, is_entry;
    struct span name;
};

static void read_directive(struct outline *outline, struct str text, struct token token,
                           struct header *header)
{
    struct str word = token_text(text, token.span);
    if (str_is(word, ".version")) read_version(outline, text, token.span.end);
    if (str_is(word, ".entry") || str_is(word, ".func")) {
        *header = (struct header){.start = token.span.start, .open = true};
        header->is_entry = str_is(word, ".entry");
        header->name = function_name(text, token.span.end);
    } else if (!header->parens && ends_function_header(word)) {
        header->open = false;
    }
}

void outline_read(struct outline *outline, struct str text)
{
    struct header header = {0};
    struct statement_memo memo = {0};
    outline->has_clocks = token_names_clock(text);
    for (uint32_t pos = 0;;) {
        struct token token = token_next(text, pos);
        if (token.kind == TOKEN_END) break;
        pos = token.span.end;
        if (token.kind == TOKEN_DOT) read_directive(outline, text, token, &header);
        if (token_is(text, token, '(')) header.parens++;
        if (token_is(text, token, ')') && header.parens) header.parens--;
        if (token_is(text, token, ';') || token_is(text, token, '=')) header.open = false;
        if (!token_is(text, token, '{')) continue;
        if (!header.open) {
            pos = skip_braces(text, pos);
            continue;
        }
        struct outline_function function = {.whole = {header.start, pos},
                                            .name = header.name,
                                            .body = pos,
                                            .is_entry = header.is_entry};
        vec_push(&outline->functions, function);
        pos = read_body(outline, text, &memo);
        header = (struct header){0};
    }
    vec_free(&memo.braces);
}

void outline_free(struct outline *outline)
{
    vec_free(&outline->functions);
    vec_free(&outline->sites);
}
