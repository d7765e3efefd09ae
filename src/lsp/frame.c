/* Splits the input into messages, by the "base protocol" of LSP 3.17. A head without a length, or
 * with two, ends the session, because after a guess a part of a text could be taken for a message.
 * See frame.h. */
#include "lsp/frame.h"

#include <strings.h>

#include "report/clean.h"

enum { LONGEST_HEAD = 4096, LONGEST_NUMBER = 12, SHOWN = 60 };

static struct str frame_trim(struct str text)
{
    while (text.n && (text.p[0] == ' ' || text.p[0] == '\t')) text.p++, text.n--;
    while (text.n && (text.p[text.n - 1] == ' ' || text.p[text.n - 1] == '\t')) text.n--;
    return text;
}

static bool frame_read_number(struct str digits, size_t *value)
{
    *value = 0;
    for (size_t i = 0; i < digits.n; i++) {
        if (digits.p[i] < '0' || digits.p[i] > '9') return false;
        *value = *value * 10 + (size_t)(digits.p[i] - '0');
    }
    return digits.n > 0 && digits.n <= LONGEST_NUMBER;
}

static enum frame_end frame_broken(struct buf *error, struct str got)
{
    if (got.n > SHOWN) got.n = SHOWN;
    buf_puts(error, "expected a head with one 'Content-Length: NUMBER', not '");
    clean_add(error, got);
    buf_puts(error, "'");
    return FRAME_BROKEN;
}

/* Reads one header field. known: the length has already been given. */
static bool frame_read_field(struct str line, struct frame *frame, bool *known)
{
    static const char length[] = "Content-Length";
    const char *colon = memchr(line.p, ':', line.n);
    if (!colon) return false;
    struct str name = {line.p, (size_t)(colon - line.p)};
    struct str value = frame_trim((struct str){colon + 1, line.n - name.n - 1});
    if (name.n != sizeof length - 1 || strncasecmp(name.p, length, name.n) != 0) return true;
    bool first = !*known;
    *known = true;
    return first && frame_read_number(value, &frame->body);
}

enum frame_end frame_read(struct str bytes, struct frame *frame, struct buf *error)
{
    struct str seen = {bytes.p, bytes.n < LONGEST_HEAD ? bytes.n : LONGEST_HEAD};
    bool known = false;
    for (size_t at = 0;;) {
        struct str rest = {seen.p + at, seen.n - at}, line = str_first_line(rest);
        if (line.n == rest.n) return seen.n < LONGEST_HEAD ? FRAME_MORE : frame_broken(error, seen);
        at += line.n + 1;
        if (!line.n || line.p[line.n - 1] != '\r') return frame_broken(error, line);
        line.n--;
        if (!line.n) {
            frame->head = at;
            return known ? FRAME_READ : frame_broken(error, seen);
        }
        if (!frame_read_field(line, frame, &known)) return frame_broken(error, line);
    }
}
