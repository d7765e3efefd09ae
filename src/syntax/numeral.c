/* Finds the end and the kind of a number. See numeral.h. */
#include "syntax/numeral.h"

static bool is_hex(char c)
{
    return numeral_is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

/* The end of an exponent such as `e+5`; at if there is none. */
static const char *exponent_end(const char *at)
{
    if ((*at | 32) != 'e') return at;
    const char *digits = at + 1 + (at[1] == '+' || at[1] == '-');
    return numeral_is_digit(*digits) ? numeral_digits_end(digits) : at;
}

/* False for `08`, which is two numbers. */
static bool is_octal_or_decimal(const char *at, const char *end)
{
    bool octal = *at == '0';
    while (octal && at < end && *at != '8' && *at != '9') at++;
    return at == end || !octal;
}

static struct word read_decimal(const char *at)
{
    const char *end = numeral_digits_end(at);
    if (*end == '.') return (struct word){exponent_end(numeral_digits_end(end + 1)), TOKEN_FLOAT};
    const char *behind = exponent_end(end);
    if (behind > end) return (struct word){behind, TOKEN_FLOAT};
    end += *end == 'U';
    return (struct word){end, is_octal_or_decimal(at, end) ? TOKEN_INTEGER : TOKEN_ODD};
}

/* Reads a number such as `0x1F`. The kind is TOKEN_END if there is none. */
static struct word read_based(const char *at)
{
    char base = at[0] == '0' ? (char)(at[1] | 32) : '\0';
    const char *end = at + 2;
    if ((base == 'x' || base == 'f' || base == 'd') && is_hex(*end)) {
        while (is_hex(*end)) end++;
        if (base != 'x') return (struct word){end, TOKEN_FLOAT};
    } else if (base == 'b' && (*end == '0' || *end == '1')) {
        while (*end == '0' || *end == '1') end++;
    } else {
        return (struct word){at, TOKEN_END};
    }
    return (struct word){end + (*end == 'U'), TOKEN_INTEGER};
}

struct word numeral_read(const char *at)
{
    struct word word = read_based(at);
    return word.kind == TOKEN_END ? read_decimal(at) : word;
}

struct word numeral_read_version(const char *at)
{
    const char *end = numeral_digits_end(at);
    while (*end == '.' && numeral_is_digit(end[1])) end = numeral_digits_end(end + 1);
    return (struct word){end, numeral_is_digit(*at) ? TOKEN_VERSION_NUMBER : TOKEN_ODD};
}
