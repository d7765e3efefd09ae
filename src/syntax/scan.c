/* Is this text safe to give to the parser? One pass over the bytes that knows comments, strings
 * and brackets, and nothing else of PTX. */
#include "syntax/scan.h"

struct scan {
    const struct source *source;
    struct arena *arena;
    struct diag_list *diags;
    const char *at, *end;
    uint32_t depth, chain;
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

static bool count_nesting(struct scan *scan, char c)
{
    if (c == '{' || c == '(' || c == '[')
        scan->depth++;
    else if (c == '}' || c == ')' || c == ']')
        scan->depth -= scan->depth > 0;
    if (c == ';' || c == '{' || c == '}' || c == ',')
        scan->chain = 0;
    else if (c == '!' || c == '~' || c == '-' || c == '+' || c == '?' || c == ':')
        scan->chain++;
    if (scan->depth <= SCAN_DEPTH_MAX && scan->chain <= SCAN_DEPTH_MAX) return true;
    return refuse(scan, scan->at, "too-deep",
                  arena_printf(scan->arena, "more than %d nested brackets or chained operators",
                               SCAN_DEPTH_MAX));
}

static bool scan_step(struct scan *scan)
{
    char c = *scan->at, next = scan->at + 1 < scan->end ? scan->at[1] : ' ';
    if (!c) return refuse_nul(scan, scan->at);
    if (c == '"') return skip_until(scan, "\"", "string");
    if (c == '/' && next == '*') return skip_until(scan, "*/", "comment");
    if (c == '/' && next == '/') return skip_until(scan, "\n", "comment");
    if (!count_nesting(scan, c)) return false;
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
