/* Checks that the parser can read a text, in one pass over the bytes that reads only comments,
 * strings and brackets. It also removes the comments: a node may have any number of comments as
 * children, and libtree-sitter 0.20.7 counts the children of a node in 16 bits and frees wrong
 * memory if there are more. (Other lists are trees with a few children in each node.) See scan.h.
 */
#include "syntax/scan.h"

#include <stdbool.h>

#include "base/work.h"
#include "syntax/marker.h"

/* in bytes: the text between two checks of the work, and the text that is one unit of work */
enum { PIECE = 4096, BYTES_A_UNIT = 8 };

struct scan {
    const struct source *source;
    struct arena *arena;
    struct diag_list *diags;
    const char *at, *end;
    char *copy; /* the end of the copy of the text before at */
    uint32_t depth;
    bool no_source; /* no `.source_end` line is in the rest of the text */
};

static bool scan_refuse(struct scan *scan, const char *at, const char *code, const char *text)
{
    struct place place = source_place(scan->source, (uint32_t)(at - scan->source->text.p));
    diag_add(scan->diags, place, code, text);
    return false;
}

static bool refuse_nul(struct scan *scan, const char *at)
{
    return scan_refuse(
        scan, at, "nul-byte",
        "NUL byte; PTX is text: is this a cubin, a fatbin or UTF-16? (cuobjdump -ptx "
        "extracts PTX from a binary)");
}

/* Copies the text up to stop, as it is or as blanks. Ends of lines are kept, because a directive
 * may end with its line. */
static bool scan_go_to(struct scan *scan, const char *stop, bool blank)
{
    const char *nul = memchr(scan->at, '\0', (size_t)(stop - scan->at));
    work_spend((size_t)(stop - scan->at) / BYTES_A_UNIT);
    if (nul) return refuse_nul(scan, nul);
    for (; scan->at < stop; scan->at++)
        *scan->copy++ = blank && *scan->at != '\n' ? ' ' : *scan->at;
    return true;
}

/* Copies the text up to the end of the closing mark. */
static bool go_beyond(struct scan *scan, size_t opened, const char *close, bool blank,
                      const char *what)
{
    const char *from = scan->at + opened, *open = scan->at;
    const char *found = memmem(from, (size_t)(scan->end - from), close, strlen(close));
    if (found) return scan_go_to(scan, found + strlen(close), blank);
    if (!scan_go_to(scan, scan->end, blank)) return false;
    return scan_refuse(scan, open, "unterminated",
                       arena_printf(scan->arena,
                                    "%s is never closed; expected %s before the end of the file",
                                    what, close));
}

static bool go_to_line_end(struct scan *scan)
{
    const char *newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
    return scan_go_to(scan, newline ? newline : scan->end, true);
}

/* If the source of another language begins here (`.source_begin`, PTX 9.4), returns its end, the
 * first line with `.source_end`. NULL if none begins here. */
static const char *source_end(struct scan *scan)
{
    static const char BEGIN[] = ".source_b", END[] = ".source_e";
    struct str rest = {scan->at, (size_t)(scan->end - scan->at)};
    if (scan->no_source || !str_starts(rest, BEGIN)) return NULL;
    while ((rest.p = memchr(rest.p, '\n', (size_t)(scan->end - rest.p)))) {
        do rest.p++;
        while (rest.p < scan->end && strchr(" \t\r", *rest.p));
        rest.n = (size_t)(scan->end - rest.p);
        if (str_starts(rest, END)) return rest.p;
    }
    scan->no_source = true;
    return NULL;
}

static bool count_nesting(struct scan *scan, char c)
{
    if (c == '{' || c == '(' || c == '[')
        scan->depth++;
    else if (c == '}' || c == ')' || c == ']')
        scan->depth -= scan->depth > 0;
    if (scan->depth <= SCAN_DEPTH_MAX) return true;
    return scan_refuse(scan, scan->at, "too-deep",
                       arena_printf(scan->arena, "more than %d nested brackets", SCAN_DEPTH_MAX));
}

static bool scan_step(struct scan *scan)
{
    char c = *scan->at, next = scan->at + 1 < scan->end ? scan->at[1] : ' ';
    if (!c) return refuse_nul(scan, scan->at);
    if (c == '"') return go_beyond(scan, 1, "\"", false, "string");
    if (c == '/' && next == '*') return go_beyond(scan, 2, "*/", true, "comment");
    if (c == '/' && next == '/') return go_to_line_end(scan);
    const char *marker = c == '#' ? marker_end(scan->at, scan->end) : NULL;
    if (marker) return scan_go_to(scan, marker, true);
    const char *source = c == '.' ? source_end(scan) : NULL;
    if (source) return scan_go_to(scan, source, false);
    *scan->copy++ = c;
    bool shallow = count_nesting(scan, c);
    scan->at++;
    return shallow;
}

char *scan_text(const struct source *source, struct arena *arena, struct diag_list *diags)
{
    struct scan scan = {.source = source, .arena = arena, .diags = diags};
    scan.at = source->text.p;
    scan.end = source->text.p + source->text.n;
    char *copy = scan.copy = mem_alloc(source->text.n);
    while (scan.at < scan.end) {
        const char *piece = scan.end - scan.at > PIECE ? scan.at + PIECE : scan.end;
        work_spend(PIECE / BYTES_A_UNIT);
        while (scan.at < piece) {
            if (scan_step(&scan)) continue;
            mem_free(copy);
            return NULL;
        }
    }
    return copy;
}
