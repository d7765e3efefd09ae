/* Makes text from untrusted files safe to show. See clean.h. */
#include "report/clean.h"

static const uint32_t REPLACEMENT = 0xfffd;
static const char REPLACEMENT_UTF8[] = "\xef\xbf\xbd";

/* The length in bytes of a UTF-8 sequence with this first byte; 0 if none begins with it. */
static size_t sequence_length(unsigned char first)
{
    if (first < 0x80) return 1;
    if (first < 0xc2) return 0;
    if (first < 0xe0) return 2;
    if (first < 0xf0) return 3;
    return first < 0xf5 ? 4 : 0;
}

size_t clean_char(struct str text, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    static const unsigned char payload[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const unsigned char *p = (const unsigned char *)text.p;
    size_t len = sequence_length(*p);
    *code = REPLACEMENT;
    if (!len || len > text.n) return 1;
    uint32_t value = *p & payload[len];
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xc0) != 0x80) return 1;
        value = value << 6 | (p[i] & 0x3f);
    }
    if (value < least[len] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return 1;
    *code = value;
    return len;
}

uint32_t clean_count(struct str text)
{
    uint32_t count = 0, code;
    for (size_t at = 0; at < text.n; count++)
        at += clean_char((struct str){text.p + at, text.n - at}, &code);
    return count;
}

/* Appends the character at text[at] and returns its length. */
static size_t add_char(struct buf *out, struct str text, size_t at)
{
    uint32_t code;
    size_t len = clean_char((struct str){text.p + at, text.n - at}, &code);
    if (code == REPLACEMENT)
        buf_puts(out, REPLACEMENT_UTF8);
    else
        buf_add(out, text.p + at, len);
    return len;
}

static const char *keep_clean_text(struct arena *arena, struct buf *text)
{
    const char *copy = arena_copy(arena, text->data, text->len);
    buf_free(text);
    return copy;
}

const char *clean_utf8(struct arena *arena, struct str text)
{
    struct buf out = {0};
    for (size_t at = 0; at < text.n;) at += add_char(&out, text, at);
    return keep_clean_text(arena, &out);
}

const char *clean_start(struct arena *arena, struct str text, size_t most)
{
    struct buf out = {0};
    size_t at = 0;
    uint32_t code;
    while (at < text.n && at + clean_char((struct str){text.p + at, text.n - at}, &code) <= most)
        at += add_char(&out, text, at);
    if (at < text.n) buf_puts(&out, "\xe2\x80\xa6");
    return keep_clean_text(arena, &out);
}

static bool clean_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

const char *clean_instruction(struct arena *arena, struct str text)
{
    struct buf out = {0};
    bool blank = false;
    while (text.n && (text.p[text.n - 1] == ';' || clean_is_blank(text.p[text.n - 1]))) text.n--;
    for (size_t at = 0; at < text.n;) {
        if (clean_is_blank(text.p[at])) {
            blank = true;
            at++;
            continue;
        }
        if (blank && out.len) buf_putc(&out, ' ');
        blank = false;
        at += add_char(&out, text, at);
    }
    return keep_clean_text(arena, &out);
}

/* Removes the last part of a path whose text begins at root. False if there is no part that can be
 * removed. */
static bool leave_folder(struct buf *path, size_t root)
{
    size_t start = path->len;
    while (start > root && path->data[start - 1] != '/') start--;
    if (start == path->len) return false;
    struct str last = {path->data + start, path->len - start};
    if (str_is(last, "..")) return false;
    path->len = start > root ? start - 1 : root;
    return true;
}

const char *clean_path(struct arena *arena, const char *path)
{
    struct buf text = {0};
    size_t root = *path == '/';
    if (root) buf_putc(&text, '/');
    while (*path) {
        struct str part = {path, strcspn(path, "/")};
        bool up = str_is(part, "..");
        bool said = !part.n || str_is(part, ".") || (up && (leave_folder(&text, root) || root));
        if (!said && text.len > root) buf_putc(&text, '/');
        if (!said) buf_add(&text, part.p, part.n);
        path += part.n + (path[part.n] == '/');
    }
    if (!text.len) buf_putc(&text, '.');
    return keep_clean_text(arena, &text);
}

/* Control characters, and characters that change the direction of writing. */
static bool is_unseen(uint32_t code)
{
    if (code == '\t') return false;
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
    return code == 0x61c || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xfeff;
}

static const char *html_entity(uint32_t code)
{
    switch (code) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

static void add_visible(struct buf *out, struct str text, bool html)
{
    uint32_t code;
    for (size_t at = 0, len; at < text.n; at += len) {
        len = clean_char((struct str){text.p + at, text.n - at}, &code);
        const char *name = html ? html_entity(code) : NULL;
        if (name)
            buf_puts(out, name);
        else if (code == REPLACEMENT || is_unseen(code))
            buf_puts(out, REPLACEMENT_UTF8);
        else
            buf_add(out, text.p + at, len);
    }
}

void clean_add(struct buf *out, struct str text)
{
    add_visible(out, text, false);
}

void clean_add_html(struct buf *out, struct str text)
{
    add_visible(out, text, true);
}
