/* Reads the text once at module level. Only what leads to a function body matters there: `{` opens
 * a body if .entry or .func came last; other braces are skipped. See outline.h. */
#include "check/read/outline.h"

/* Returns the next offset at which a brace, comment or string may begin. All text before it is
 * complete tokens. */
static uint32_t outline_pass_statements(struct str text, uint32_t pos)
{
    for (; text.n - pos >= SIXTEEN; pos += SIXTEEN) {
        uint32_t first = sixteen_first(scan_braces(sixteen_load(text.p + pos)));
        if (first < SIXTEEN) return pos + first;
    }
    return token_stop(text, pos);
}

uint32_t outline_skip_braces(struct str text, uint32_t pos)
{
    for (uint32_t depth = 1; depth;) {
        pos = outline_pass_statements(text, pos);
        struct token token = token_next(text, pos);
        if (token.kind == TOKEN_END) return (uint32_t)text.n;
        if (token_is(text, token, '{')) depth++;
        if (token_is(text, token, '}')) depth--;
        pos = token.span.end;
    }
    return pos;
}

/* Returns the first name after .entry or .func that is outside of the list of return parameters. */
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

static uint32_t outline_parse_number(struct str digits, size_t *at)
{
    uint32_t value = 0;
    for (; *at < digits.n && digits.p[*at] >= '0' && digits.p[*at] <= '9'; (*at)++)
        if (value < 1000) value = value * 10 + (uint32_t)(digits.p[*at] - '0');
    return value;
}

static void outline_read_version(struct outline *outline, uint32_t pos)
{
    struct token token = token_next(outline->text, pos);
    if (token.kind != TOKEN_NUMBER) return;
    struct str digits = token_text(outline->text, token.span);
    size_t at = 0;
    outline->version = token.span;
    outline->isa_major = outline_parse_number(digits, &at);
    if (at < digits.n && digits.p[at] == '.') at++;
    outline->isa_minor = outline_parse_number(digits, &at);
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

/* The statement of the module that is being read. */
struct header {
    uint32_t start, parens;
    bool open, is_entry;
    struct span name;
};

static void outline_read_directive(struct outline *outline, struct token token,
                                   struct header *header)
{
    struct str word = token_text(outline->text, token.span);
    if (str_is(word, ".version")) outline_read_version(outline, token.span.end);
    if (str_is(word, ".entry") || str_is(word, ".func")) {
        *header = (struct header){.start = token.span.start, .open = true};
        header->is_entry = str_is(word, ".entry");
        header->name = function_name(outline->text, token.span.end);
    } else if (!header->parens && ends_function_header(word)) {
        header->open = false;
    }
}

/* Fills function. Returns whether this `{` opens its body. */
static bool opens_body(const struct header *header, uint32_t body,
                       struct outline_function *function)
{
    *function = (struct outline_function){
        .start = header->start, .body = body, .name = header->name, .is_entry = header->is_entry};
    return header->open;
}

bool outline_next(struct outline *outline, struct outline_function *function)
{
    struct header header = {0};
    struct str text = outline->text;
    for (;;) {
        struct token token = token_next(text, outline->pos);
        outline->pos = token.span.end;
        if (token.kind == TOKEN_END) return false;
        if (token.kind == TOKEN_DOT) outline_read_directive(outline, token, &header);
        if (token_is(text, token, '(')) header.parens++;
        if (token_is(text, token, ')') && header.parens) header.parens--;
        if (token_is(text, token, ';') || token_is(text, token, '=')) header.open = false;
        if (!token_is(text, token, '{')) continue;
        if (opens_body(&header, outline->pos, function)) return true;
        outline->pos = outline_skip_braces(text, outline->pos);
    }
}
