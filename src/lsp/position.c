/* Converts between offsets in bytes and the lines and characters of the editor. By LSP 3.17, "Text
 * Documents", and unlike the rest of ptxopt, a lone CR ends a line as well, and columns count units
 * of UTF-16 unless the client accepts UTF-8. See position.h. */
#include "lsp/position.h"

void position_index(struct line_starts *lines, struct str text)
{
    vec_push(lines, 0);
    for (size_t i = 0; i < text.n; i++) {
        bool feed = text.p[i] == '\n';
        bool alone = text.p[i] == '\r' && (i + 1 == text.n || text.p[i + 1] != '\n');
        if (feed || alone) vec_push(lines, (uint32_t)i + 1);
    }
}

/* The byte continues a character. */
static bool is_continuation_byte(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* The number of columns that the byte adds: a character counts at its first byte. */
static uint32_t units_of(char byte, enum encoding encoding)
{
    if (encoding == ENCODING_UTF8) return 1;
    if (is_continuation_byte(byte)) return 0;
    return (unsigned char)byte >= 0xf0 ? 2 : 1;
}

struct position position_of(const struct line_starts *lines, struct str text,
                            enum encoding encoding, uint32_t offset)
{
    uint32_t low = 0, high = lines->count;
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (lines->at[mid] <= offset)
            low = mid;
        else
            high = mid;
    }
    struct position position = {.line = low};
    for (uint32_t at = lines->at[low]; at < offset && at < text.n; at++)
        position.character += units_of(text.p[at], encoding);
    return position;
}

uint32_t position_offset(const struct line_starts *lines, struct str text, enum encoding encoding,
                         struct position position)
{
    if (position.line >= lines->count) return (uint32_t)text.n;
    bool last = position.line + 1 == lines->count;
    uint32_t at = lines->at[position.line];
    uint32_t end = last ? (uint32_t)text.n : lines->at[position.line + 1];
    while (!last && end > at && (text.p[end - 1] == '\n' || text.p[end - 1] == '\r')) end--;
    uint32_t begin = at, left = position.character;
    for (; at < end && units_of(text.p[at], encoding) <= left; at++)
        left -= units_of(text.p[at], encoding);
    while (at > begin && at < text.n && is_continuation_byte(text.p[at])) at--;
    return at;
}
