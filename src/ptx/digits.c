/* Parses numbers in directives. See digits.h. */
#include "ptx/digits.h"

#include <stdlib.h>
#include <string.h>

uint64_t digits_read(struct str text)
{
    uint64_t value = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] < '0' || text.p[i] > '9' || value > UINT32_MAX) return UINT32_MAX;
        value = value * 10 + (uint64_t)(text.p[i] - '0');
    }
    return value;
}

/* Reads a decimal number that certainly fits. False: it is another number, or none. */
static bool read_short_decimal(struct str text, uint64_t *value)
{
    enum { FITS = 18 };
    if (!text.n || text.n > FITS || (text.p[0] == '0' && text.n > 1)) return false;
    *value = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] < '0' || text.p[i] > '9') return false;
        *value = *value * 10 + (uint64_t)(text.p[i] - '0');
    }
    return true;
}

bool digits_read_integer(struct str text, uint64_t *value)
{
    char digits[72];
    if (read_short_decimal(text, value)) return true;
    size_t n = text.n && text.p[text.n - 1] == 'U' ? text.n - 1 : text.n;
    if (!n || n >= sizeof digits || text.p[0] < '0' || text.p[0] > '9') return false;
    memcpy(digits, text.p, n);
    digits[n] = '\0';
    bool binary = digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
    char *end;
    *value = strtoull(binary ? digits + 2 : digits, &end, binary ? 2 : 0);
    return end == digits + n;
}

bool digits_read_count(struct str text, uint64_t *count)
{
    return digits_read_integer(text, count) && *count <= UINT32_MAX;
}
