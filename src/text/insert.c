/* Finds the ends of lines around an instruction, and writes a line next to it in the same layout.
 * See insert.h. */
#include "text/insert.h"

#include "base/buf.h"
#include "text/directive.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static uint32_t line_start(struct str text, uint32_t at)
{
    while (at && text.p[at - 1] != '\n') at--;
    return at;
}

/* The offset after the line feed of the line that contains at; 0: the line has none. */
static uint32_t line_end(struct str text, uint32_t at)
{
    const char *feed = memchr(text.p + at, '\n', text.n - at);
    return feed ? (uint32_t)(feed + 1 - text.p) : 0;
}

static uint32_t skip_blanks(struct str text, uint32_t at)
{
    while (at < text.n && is_blank(text.p[at])) at++;
    return at;
}

static bool is_at(struct str text, uint32_t at, const char *mark)
{
    return str_starts((struct str){text.p + at, text.n - at}, mark);
}

/* From at to the end of the line at `end`, there are only blanks and complete comments. */
static bool is_rest_empty(struct str text, uint32_t at, uint32_t end)
{
    for (;;) {
        at = skip_blanks(text, at);
        if (at == end || text.p[at] == '\n' || text.p[at] == '\r' || is_at(text, at, "//"))
            return true;
        if (!is_at(text, at, "/*")) return false;
        const char *close = memmem(text.p + at + 2, end - at - 2, "*/", 2);
        if (!close) return false;
        at = (uint32_t)(close + 2 - text.p);
    }
}

/* The line has only a comment for ptxopt, which is about the next instruction. */
static bool is_directive_line(struct str text, uint32_t start)
{
    uint32_t end = line_end(text, start), at = skip_blanks(text, start);
    bool comment = is_at(text, at, "//") || is_at(text, at, "/*");
    return comment && is_rest_empty(text, at, end) &&
           directive_begins(text.p + at + 2, text.p + end);
}

/* The offset after a brace that opens a block, and declarations of registers in it; at if there is
 * no brace. */
static uint32_t skip_opening(struct str text, uint32_t at, uint32_t end)
{
    if (text.p[at] != '{') return at;
    for (uint32_t next = skip_blanks(text, at + 1); next <= end; next = skip_blanks(text, next)) {
        at = next;
        if (!is_at(text, at, ".reg ")) break;
        const char *stop = memchr(text.p + at, ';', end - at);
        if (!stop) break;
        next = (uint32_t)(stop + 1 - text.p);
    }
    return at;
}

/* *at: the start of the line before which to insert. False if something precedes the instruction on
 * its line. */
static bool find_before(struct str text, uint32_t start, bool inner, uint32_t *at)
{
    uint32_t line = line_start(text, start), first = skip_blanks(text, line);
    if (inner) first = skip_opening(text, first, start);
    if (first != start) return false;
    while (line && is_directive_line(text, line_start(text, line - 1)))
        line = line_start(text, line - 1);
    *at = line;
    return true;
}

/* *at: the start of the next line. False if something follows the instruction on its line; also for
 * a comment keep-next, which would then be about another instruction. */
static bool find_line_behind(struct str text, uint32_t end, bool inner, uint32_t *at)
{
    uint32_t next = line_end(text, end), close = skip_blanks(text, end);
    if (inner && close < text.n && text.p[close] == '}') end = close + 1;
    if (!next || !is_rest_empty(text, end, next)) return false;
    if (memmem(text.p + end, next - end, "keep-next", 9)) return false;
    *at = next;
    return true;
}

/* The guard as written, "@!%p1"; empty: none. */
static struct str guard_of(struct str text, struct span span)
{
    uint32_t at = span.start;
    if (text.p[at] != '@') return (struct str){"", 0};
    do at++;
    while (at < span.end && (is_blank(text.p[at]) || text.p[at] == '!'));
    while (at < span.end && !is_blank(text.p[at]) && text.p[at] != '\r' && text.p[at] != '\n') at++;
    return (struct str){text.p + span.start, at - span.start};
}

bool insert_line(struct insert *insert, const struct source *source, struct span span, bool behind,
                 bool guarded, bool inner, const char *instruction, struct arena *arena)
{
    struct str text = source->text;
    uint32_t at, line = line_start(text, span.start), feed = line_end(text, span.end);
    struct str guard = guarded ? guard_of(text, span) : (struct str){"", 0};
    bool outside = inner && !guard.n; /* the guard may be declared in the block */
    bool found = behind ? find_line_behind(text, span.end, outside, &at)
                        : find_before(text, span.start, outside, &at);
    if (!found) return false;
    struct buf made = {0};
    buf_add(&made, text.p + line, skip_blanks(text, line) - line);
    buf_add(&made, guard.p, guard.n);
    if (guard.n) buf_putc(&made, ' ');
    buf_puts(&made, instruction);
    if (feed > 1 && text.p[feed - 2] == '\r') buf_putc(&made, '\r');
    buf_putc(&made, '\n');
    *insert = (struct insert){at, {arena_copy(arena, made.data, made.len), made.len}};
    buf_free(&made);
    return true;
}
