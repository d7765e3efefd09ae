/* Parses numbers of the command line. See number.h. */
#include "cli/number.h"

#include <string.h>

bool number_read(const char *text, size_t limit, size_t *value, const char **end)
{
    size_t number = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        number = number * 10 + (size_t)(*at - '0');
        if (number > limit) return false;
    }
    *value = number;
    *end = at;
    return at > text;
}

bool number_bytes(const char *text, size_t limit, size_t *value)
{
    static const char letters[] = "KMG";
    const char *end;
    if (!number_read(text, limit, value, &end)) return false;
    if (!*end) return true;
    const char *letter = *end == ' ' ? NULL : strchr(letters, *end & ~0x20);
    size_t shift = letter ? 10 * (size_t)(letter - letters + 1) : 0;
    if (!letter || end[1] || *value > limit >> shift) return false;
    *value <<= shift;
    return true;
}

bool number_seconds(const char *text, size_t limit, size_t *ms)
{
    enum { UNITS = 1000 }; /* milliseconds in a second */
    const char *end;
    size_t seconds = 0, fraction = 0, unit = UNITS;
    if (!number_read(text, limit, &seconds, &end)) return false;
    if (*end == '.')
        for (end++; *end >= '0' && *end <= '9' && unit > 1; end++)
            fraction += (size_t)(*end - '0') * (unit /= 10);
    *ms = seconds * UNITS + fraction;
    return !*end;
}
