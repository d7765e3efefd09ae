/* Recognises line markers. See marker.h. */
#include "syntax/marker.h"

#include <string.h>

static const char DIGITS[] = "0123456789";

static const char *skip_any_of(const char *at, const char *end, const char *bytes)
{
    while (at < end && *at && strchr(bytes, *at)) at++;
    return at;
}

/* Returns the end of the line after blanks and numbers; NULL if something else is before it. */
static const char *skip_flags(const char *at, const char *end)
{
    for (;;) {
        const char *flag = skip_any_of(at, end, " \t");
        if (flag == end || *flag == '\n') return flag;
        if (*flag == '\r') return flag + 1 == end || flag[1] == '\n' ? flag : NULL;
        at = skip_any_of(flag, end, DIGITS);
        if (at == flag || flag[-1] == '"') return NULL;
    }
}

const char *marker_end(const char *at, const char *end)
{
    at = skip_any_of(at + 1, end, " \t");
    if (end - at > 4 && memcmp(at, "line", 4) == 0) at = skip_any_of(at + 4, end, " \t");
    const char *behind = skip_any_of(at, end, DIGITS);
    const char *name = skip_any_of(behind, end, " \t");
    if (behind == at || name == behind || name == end || *name != '"') return NULL;
    const char *close = memchr(name + 1, '"', (size_t)(end - name) - 1);
    const char *line = memchr(name, '\n', (size_t)(end - name));
    return close && (!line || close < line) ? skip_flags(close + 1, end) : NULL;
}
