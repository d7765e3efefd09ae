/* Is this text safe to give to the parser? One pass over the bytes that knows comments, strings
 * and brackets, and nothing else of PTX. */
#include "syntax/scan.h"

#include <ctype.h>

struct scan {
    const struct source *source;
    struct arena *arena;
    struct diag_list *diags;
    const char *at, *end;
    uint32_t depth, chain, guards, run;
    uint32_t round; /* '(' and '[' still open: a ';' among them ends nothing */
    uint32_t table; /* the depth of the braces of an initializer or a section; 0 outside */
    uint32_t odd;   /* bytes in tables that have no business there */
    bool is_section, in_section;
    char last; /* the last byte that is no blank, outside of comments */
};

static bool refuse(struct scan *scan, const char *at, const char *code, const char *text)
{
    struct place place = source_place(scan->source, (uint32_t)(at - scan->source->text.p));
    diag_add(scan->diags, DIAG_ERROR, place, code, text);
    return false;
}

static bool refuse_nul(struct scan *scan, const char *at)
{
    return refuse(scan, at, "nul-byte",
                  "NUL byte; PTX is text: is this a cubin, a fatbin or UTF-16? (cuobjdump -ptx "
                  "extracts PTX from a binary)");
}

/* Skips to behind the closing mark; a NUL on the way is refused. */
static bool skip_until(struct scan *scan, const char *close, const char *what)
{
    const char *open = scan->at;
    size_t n = strlen(close);
    scan->at += *open == '"' ? 1 : 2;
    for (; scan->at < scan->end; scan->at++) {
        if (!*scan->at) return refuse_nul(scan, scan->at);
        if ((size_t)(scan->end - scan->at) >= n && memcmp(scan->at, close, n) == 0) {
            scan->at += n;
            return true;
        }
    }
    if (*close == '\n') return true;
    return refuse(scan, open, "unterminated",
                  arena_printf(scan->arena,
                               "%s is never closed; expected %s before the end of the file", what,
                               close));
}

/* Counts the bytes of a statement. Tables have no end of a statement for long. */
static void count_run(struct scan *scan, char c)
{
    if (c == '(' || c == '[') scan->round++;
    if (c == '}') scan->round = 0;
    if (c == ')' || c == ']') scan->round -= scan->round > 0;
    if (c == '.' && scan->end - scan->at > 8 && memcmp(scan->at, ".section", 8) == 0)
        scan->is_section = true;
    if (c == '{' && (scan->last == '=' || scan->is_section) && !scan->table)
        scan->table = scan->depth + 1, scan->in_section = scan->is_section;
    if (c == '}' && scan->depth <= scan->table) scan->table = 0;
    if (c == ';' || c == '{' || c == '}') scan->is_section = false;
    if (scan->table && (strchr(";<>?@|!", c) || (c == ':' && !scan->in_section))) scan->odd++;
    scan->run++;
    if (scan->table || c == '{' || c == '}' || (c == ';' && !scan->round)) scan->run = 0;
}

static bool count_nesting(struct scan *scan, char c, char next)
{
    if (c == '{' || c == '(' || c == '[')
        scan->depth++;
    else if (c == '}' || c == ')' || c == ']')
        scan->depth -= scan->depth > 0;
    if (c == ';' || c == '{' || c == '}' || c == ',')
        scan->chain = scan->guards = 0;
    else if (c == '!' || c == '~' || c == '-' || c == '+' || c == '?' || c == ')')
        scan->chain++;
    else if (c == '.' && scan->last != '(' && isalpha((unsigned char)next))
        scan->chain = 0; /* not the type of a cast: no expression goes on here */
    else if (c == '@')
        scan->guards++;
    if (scan->run > SCAN_STATEMENT_MAX || scan->odd > SCAN_DEPTH_MAX)
        return refuse(scan, scan->at, "too-long",
                      arena_printf(scan->arena,
                                   "a statement of more than %d bytes; is a ';' missing?",
                                   SCAN_STATEMENT_MAX));
    if (scan->depth <= SCAN_DEPTH_MAX && scan->chain <= SCAN_DEPTH_MAX &&
        scan->guards <= SCAN_DEPTH_MAX)
        return true;
    return refuse(scan, scan->at, "too-deep",
                  arena_printf(scan->arena, "more than %d nested brackets or chained operators",
                               SCAN_DEPTH_MAX));
}

static bool scan_step(struct scan *scan)
{
    char c = *scan->at, next = scan->at + 1 < scan->end ? scan->at[1] : ' ';
    if (!c) return refuse_nul(scan, scan->at);
    if (c == '"') scan->run++, scan->last = c;
    if (c == '"') return skip_until(scan, "\"", "string");
    if (c == '/' && next == '*') return skip_until(scan, "*/", "comment");
    if (c == '/' && next == '/') return skip_until(scan, "\n", "comment");
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
        count_run(scan, c);
        if (!count_nesting(scan, c, next)) return false;
        scan->last = c;
    }
    scan->at++;
    return true;
}

bool scan_check(const struct source *source, struct arena *arena, struct diag_list *diags)
{
    struct scan scan = {.source = source, .arena = arena, .diags = diags};
    scan.at = source->text.p;
    scan.end = source->text.p + source->text.n;
    while (scan.at < scan.end)
        if (!scan_step(&scan)) return false;
    return true;
}
