/* Checks the beginning of a text: PTX begins with .version. Other known beginnings are named in the
 * message, for users who have confused two files. See opening.h. */
#include "text/opening.h"

static bool is_blank_byte(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The length of the blanks, comments and preprocessor lines with which the text begins. */
static size_t opening_skip(struct str text)
{
    size_t at = 0;
    bool line_start = true;
    while (at < text.n) {
        struct str rest = {text.p + at, text.n - at};
        if (is_blank_byte(*rest.p)) {
            line_start |= *rest.p == '\n';
            at++;
        } else if (str_starts(rest, "//") || (line_start && *rest.p == '#')) {
            at += str_first_line(rest).n;
        } else if (str_starts(rest, "/*")) {
            const char *end = memmem(rest.p + 2, rest.n - 2, "*/", 2);
            if (!end) break;
            at += (size_t)(end - rest.p) + 2;
        } else {
            break;
        }
    }
    return at;
}

/* Recognizes UTF-16 by its first bytes. */
static bool is_utf16(struct str text)
{
    static const char little[] = {'\xff', '\xfe'}, big[] = {'\xfe', '\xff'};
    if (text.n < 4) return false;
    if (memcmp(text.p, little, 2) == 0 || memcmp(text.p, big, 2) == 0) return true;
    for (int first = 0; first < 2; first++)
        if (!text.p[first] && !text.p[first + 2] && text.p[1 - first] && text.p[3 - first])
            return true;
    return false;
}

static struct opening_fault describe_opening(struct str text, size_t at)
{
    struct str rest = {text.p + at, text.n - at};
    if (is_utf16(text))
        return (struct opening_fault){
            0, "utf-16",
            "the text is UTF-16; PTX is ASCII: convert it with iconv -f UTF-16 -t ASCII"};
    if (str_starts(text, "\xef\xbb\xbf"))
        return (struct opening_fault){0, "not-ptx", "a byte order mark; expected '.version'"};
    if (str_starts(text, "\x7f"
                         "ELF") ||
        str_starts(text, "\x50\xed\x55\xba"))
        return (struct opening_fault){
            0, "not-ptx", "this is a cubin or fatbin; cuobjdump -ptx extracts the PTX from it"};
    if (!rest.n)
        return (struct opening_fault){(uint32_t)at, "not-ptx",
                                      "not PTX: the text ends without '.version'"};
    return (struct opening_fault){(uint32_t)at, "not-ptx",
                                  "not PTX: expected '.version' before anything else"};
}

bool opening_is_ptx(struct str text, struct opening_fault *fault)
{
    static const char word[] = ".version";
    size_t at = opening_skip(text), len = sizeof word - 1;
    struct str rest = {text.p + at, text.n - at};
    bool good = str_starts(rest, word) &&
                (rest.n == len || is_blank_byte(rest.p[len]) || rest.p[len] == '/');
    if (!good) *fault = describe_opening(text, at);
    return good;
}
